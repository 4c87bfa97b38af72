/*
 * outbox -- accesses on their way: what is sent by the call that makes it, and what waits until its epoch is to end.
 *
 * Puts and gets of one epoch and target are one message, sent as late as MPI allows.  Atomic operations are messages of
 * their own, sent at once, except in a fence epoch, which no target has joined before its closing fence.
 */
#ifndef SHIM_WINDOW_OUTBOX_H
#define SHIM_WINDOW_OUTBOX_H

#include "shim/window/epoch.h"

/*
 * Takes one access of the accumulate family, or one that is to be sent now.  The answer that is to come; NULL: it waits
 * for the end of its epoch, or was made at once (direct.h).
 */
struct reply *outbox_take(struct window *, int member, enum access_epoch, int32_t tag, struct message_text *);

/* Sends the puts and gets that wait for a member; not of a fence epoch. */
void outbox_send(struct window *, int member, enum access_epoch);

/* How many messages wait for a member at the closing fence; sends them. */
uint64_t outbox_count(const struct window *, int member);
void outbox_send_counted(struct window *, int member);

void outbox_release(struct target *);

#endif
