/*
 * guard -- buffers of pending operations, which the program has to leave alone.
 *
 * From the call that starts an operation until the one that completes it, nobody may write
 * what is being sent, nor read or write where something is being received.  Three things
 * watch over that: operations are compared with each other; fences (fence.h) show the very
 * access; and where there is none, sums of the contents show that something was written.
 *
 * Fences are put up for the first operations of each line only, and for a number of calls: they
 * cost much more than a call does.
 */
#ifndef SHIM_GUARD_GUARD_H
#define SHIM_GUARD_GUARD_H

#include "shim/fence.h"
#include "shim/request.h"

/* The operation of a request was started. */
void guard_begin(struct request *);
/* It is complete for the user, who may use its buffers again; or nobody will ever know. */
void guard_over(struct request *);

/* Is about to be filled by the shim: the last moment to see whether the program has written there. */
void guard_check(struct request *);

/* The shim has filled it, as guard_check was told, and the operation goes on: what is there from now on is not to change. */
void guard_filled_early(struct request *);

/*
 * A blocking operation, which is over soon, and guarded until then only if other threads go on meanwhile: is it at odds with those that are pending?  Asked before the rank waits for
 * it: what is posted behind a call that waits is read only when the call returns, and never from a copy, whose ring is
 * its own and empty.
 */
void guard_compare(struct request *);

/* There is none that is pending. */
bool guard_is_idle(void);

/* A call begins: before anything else, the fence is taken down. */
void guard_pause(void);

/* Around every call of the program. */
void guard_enter(void);
void guard_leave(void);

/* ---- for the fence ---- */

/* Whether an access to this byte is forbidden. */
bool guard_forbids(uintptr_t address, bool writes);

/* Whether one to some of these bytes is. */
bool guard_minds(uintptr_t start, uintptr_t end, bool writes);

/* It was made, from these frames, the innermost first; told at the next call.  Its buffer is guarded no more. */
enum { GUARD_FRAMES = 24 };
void guard_caught(uintptr_t start, uintptr_t end, bool writes, const uintptr_t *frame, int frames);

/* The fence that is needed now. */
int guard_fence(struct fence_run *);

#endif
