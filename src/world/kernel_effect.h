/*
 * kernel_effect -- what a system call changes of what the kernel keeps for a process.
 *
 * Most of it is found nowhere in /proc, so it is known by its history: two processes to which the
 * kernel was the same, and which made the same calls with the same data since, have the same.  That errs
 * on one side only: what was changed and changed back counts as different.
 */
#ifndef WORLD_KERNEL_EFFECT_H
#define WORLD_KERNEL_EFFECT_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/map.h"
#include "world/doubt.h"

/* All zero: as it was when it was first listened to. */
struct kernel_state {
    uint64_t heard;         /* calls, those included that change nothing which is not seen elsewhere */
    struct map_key history; /* of the calls that count */
    enum doubt unknowable;  /* something goes on outside of its memory: a timer, a child, a pipe; the first such thing */
    bool mapped;            /* it has made mappings that it cannot write to, which are not in its image */
    bool stacks_changed;    /* it may be on another stack than at first, or go back to one */
    enum doubt left_traces; /* on a disk or elsewhere, where others may find them; the first such thing */
    bool changed_files;     /* these, or folders, by name or by what is in them */
};

/* Whether a call only asks for a file by its name: that changes nothing. */
bool kernel_effect_is_question(int call);

/* The process waits in the call; it will be made next. */
void kernel_effect(struct kernel_state *, pid_t, const struct seccomp_data *);

#endif
