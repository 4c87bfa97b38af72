/*
 * outbox -- accesses on their way: what is sent by the call that makes it, and what waits until its epoch is to end.
 *
 * Puts and gets of one epoch and target are one message, sent as late as MPI allows.  Atomic operations are messages of
 * their own, sent at once, except in a fence epoch, which no target has joined before its closing fence, and where they may happen in either
 * order (either_order.h).
 */
#ifndef SHIM_WINDOW_OUTBOX_H
#define SHIM_WINDOW_OUTBOX_H

#include "shim/window/epoch.h"

/*
 * Takes one access of the accumulate family, or one that is to be sent now.  It is sent, waits for the end of its epoch or for a call that
 * communicates (either_order.h), or is made at once (direct.h).
 */
void outbox_take(struct window *, int member, enum access_epoch, int32_t tag, struct message_text *);

/* Sends the puts and gets that wait for a member; not of a fence epoch. */
void outbox_send(struct window *, int member, enum access_epoch);

/*
 * Sends the atomic operations that may happen in either order, of all epochs but those of fences.  The call completes those on a member, or (-1) on all, of
 * `completed`, at the target or `locally`; NULL: it completes none.
 */
void outbox_let_go(const struct window *completed, int member, bool locally);

/* How many messages wait for a member at the closing fence; sends them. */
uint64_t outbox_count(const struct window *, int member);
void outbox_send_counted(struct window *, int member);

void outbox_release(struct target *);

#endif
