/*
 * queue -- unmatched sends and receives, filed by pattern (struct queue).
 *
 * Keeps the files and answers who is first; what that means for matching is
 * match.c's affair.
 */
#ifndef SEM_QUEUE_H
#define SEM_QUEUE_H

#include "sem/state.h"

/* Files an operation whose envelope is set, or takes it off all its lists. */
void queue_add_send(struct sem *, op_id);
void queue_add_recv(struct sem *, op_id);
void queue_drop_send(struct sem *, op_id);
void queue_drop_recv(struct sem *, op_id);

/* A queue with nothing in it goes away, unless held or kept; holding one holds what it hangs on. */
void queue_hold(struct sem *, uint32_t queue);
void queue_release(struct sem *, uint32_t queue);

uint32_t queue_find(const struct sem *, uint32_t context, rank_t to, rank_t from, int tag); /* 0: no such */
uint32_t queue_mailbox(const struct sem *, uint32_t queue);

/* Of the unmatched sends from one rank that fit such a receive, the first; or none (M2). */
op_id queue_first_send(const struct sem *, uint32_t context, rank_t to, rank_t from, int tag);

/* Of the unmatched receives that fit this unmatched send, the first posted; or none (M3). */
op_id queue_first_recv(const struct sem *, op_id send);

/* Takes a receive off its channel's `behind`, if it is there; puts it on, or off, the list of the forced. */
void queue_step_out(struct sem *, op_id recv);
void queue_set_forced(struct sem *, op_id recv, bool forced);

/* The posting number of the first receive on this channel that takes any tag; UINT64_MAX: none. */
uint64_t queue_any_tag_posted(const struct sem *, uint32_t channel);

#endif
