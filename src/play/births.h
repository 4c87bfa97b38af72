/*
 * births -- ranks that are started by others while a play goes on (call/dynamic.h).
 *
 * One that nobody has started yet waits for its birth: that goes through the semantics, like all messages, but is not in the record of
 * the run.
 */
#ifndef PLAY_BIRTHS_H
#define PLAY_BIRTHS_H

#include "call/dynamic.h"
#include "play/state.h"

/* Gives a rank numbers for those that it wants to start. */
void births_give_places(struct play *, rank_t, const struct op *);

/* A send is about to be posted: if it is a birth, whoever it is for waits for it. */
void births_prepare(struct play *, const struct op *);

/* Whether it is a rank that nobody has started. */
bool births_is_awaited(const struct play *, rank_t);

/* It has received its birth. */
void births_begin(struct play *, struct match);

#endif
