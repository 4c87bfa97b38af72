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

/* Of a process, in ns, since it is there. */
struct watched_time {
    int64_t ran;
    int64_t delayed; /* it waited for a processor */
};

struct watch {
    pid_t process;             /* 0: none was looked at yet */
    int64_t waited;            /* ns */
    struct watched_time first; /* when the process was first looked at */
};

/* Before waiting for a process's next call. */
static inline void watch_begin(struct watch *watch)
{
    *watch = (struct watch){0};
}

/* How long to wait in one go if the limit is so many seconds. */
struct timespec watch_slice(int seconds);

/* After a slice without a call: whether the limit is reached. */
bool watch_note_slice(struct watch *, pid_t, int seconds);

#endif
