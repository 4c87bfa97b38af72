/*
 * kernel_watch -- listens to the system calls of ranks that change what the kernel keeps for them.
 *
 * A rank whose sleeping copies are compared has a filter (shim/virtual/kernel_filter.h).  A thread of tourney's
 * takes note of every call that comes through it, and lets it go on.  So what a rank that sleeps has made
 * of the kernel is known, and can be compared as its memory is (image.h).  The processes of one
 * rank that were not listened to can be anything.
 */
#ifndef WORLD_KERNEL_WATCH_H
#define WORLD_KERNEL_WATCH_H

#include "call/made_files.h"
#include "world/kernel_effect.h"

struct kernel_watch;

/* Ends with a thread; files that an earlier search has made are not told of.  NULL is one that knows nothing, for all that follows. */
struct kernel_watch *kernel_watch_open(const made_files_t *before);
void kernel_watch_close(struct kernel_watch *);

/* Whether a descriptor can be taken from the process at all: not everywhere is that allowed. */
bool kernel_watch_can_take(pid_t, int fd);
/* Takes the one that the filter of the rank's process has, and listens to it and to all its copies. */
bool kernel_watch_begin(struct kernel_watch *, pid_t, rank_t, int fd);
/* Adds those that were made, and are not in the list. */
void kernel_watch_made_files(struct kernel_watch *, made_files_t *);
/* So many files have been changed by now; and the process sees the first so many of these changes, and its own (original_files.h). */
uint32_t kernel_watch_changed_files(struct kernel_watch *);
void kernel_watch_show_files(struct kernel_watch *, pid_t, uint32_t changed);
/* A copy was made; or the process is no more. */
void kernel_watch_copied(struct kernel_watch *, pid_t original, pid_t copy);
void kernel_watch_gone(struct kernel_watch *, pid_t);

/*
 * A process that runs at the same time as others, and is not meant to run yet, waits in the first call by which others
 * could tell, until it is aside no more.
 */
void kernel_watch_aside(struct kernel_watch *, pid_t, bool aside);
/* Whether it waits there now. */
bool kernel_watch_holds(struct kernel_watch *, pid_t);
/* Whether some process has left what others may find; if nobody listens, perhaps. */
bool kernel_watch_saw_traces(struct kernel_watch *);

/* Of a process that sleeps. */
struct kernel_state kernel_watch_state(struct kernel_watch *, pid_t);

#endif
