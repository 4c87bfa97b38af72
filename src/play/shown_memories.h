/*
 * shown_memories -- public copies of windows that ranks have between them (call/shown_memory.h), as a play follows them.
 */
#ifndef PLAY_SHOWN_MEMORIES_H
#define PLAY_SHOWN_MEMORIES_H

#include "play/state.h"

/* Whether a rank may be read on: not before atomic accesses of others that were made before the one that it tells of now. */
bool shown_memories_are_read_up_to(const struct play *, const struct op *);

/* What is asked of a keeper, for rhythm.h: the same whether the rank has made the access itself or not. */
uint64_t shown_memories_question(rank_t keeper, uint64_t sum);

/* A rank tells of accesses that it has made itself. */
void shown_memories_follow(struct play *, rank_t, const struct op *);

/* Whether an atomic access that was sent to `keeper` can be made: all that ranks have made themselves were read.  Always true of others. */
bool shown_memories_admit(const struct play *, rank_t keeper, const struct op *);

/* The keeper has taken a message, whose bytes are at `payload` in the arena.  True: they stay there. */
bool shown_memories_take(struct play *, rank_t keeper, const struct op *, uint64_t payload);

void shown_memories_release(struct play *);

#endif
