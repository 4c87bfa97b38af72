/*
 * window_locks -- locks of windows that ranks of a play take by themselves (call/shown_lock.h).
 */
#ifndef SHIM_VIRTUAL_WINDOW_LOCKS_H
#define SHIM_VIRTUAL_WINDOW_LOCKS_H

#include "call/shown_lock.h"
#include "call/window.h"
#include "call/wire.h"

void window_locks_open(struct wire_head *);

/* Whether this lock is shown.  All of `ranks`, the members of the window, come to the same. */
bool window_lock_is_shown(uint32_t slot, const rank_t *ranks, int n);

/* Takes the lock or joins those who wait; the ticket to be sent with the request. */
uint64_t window_lock_obtain(rank_t owner, uint32_t slot, bool alone);

/* Gives back what was granted by such a ticket; the release has been posted. */
void window_lock_give_back(rank_t owner, uint32_t slot, bool alone);

#endif
