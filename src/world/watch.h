/*
 * watch -- how long a process has made no call, while tourney waits for it.
 *
 * What counts is time in which it could have made one: it ran, or slept by its
 * own wish.  Waiting for a processor does not count, so a busy machine makes no
 * program hang; nor does being stopped, by a debugger or with tourney itself.
 */
#ifndef WORLD_WATCH_H
#define WORLD_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct watch {
    int64_t waited;  /* ns */
    int64_t delayed; /* ns that the process had waited for a processor when it was first looked at; -1: not yet */
};

/* Before waiting for a process's next call. */
static inline void watch_begin(struct watch *watch)
{
    *watch = (struct watch){.delayed = -1};
}

/* How long to wait in one go if the limit is so many seconds. */
struct timespec watch_slice(int seconds);

/* After a slice without a call: whether the limit is reached. */
bool watch_note_slice(struct watch *, pid_t, int seconds);

#endif
