/*
 * keepers -- of windows, and of published names (window/keeper.h), as players of a play.
 *
 * They are behind the ranks, are made when the first message comes, and have no process: what they receive and send goes
 * through the semantics as with ranks, but is not in the record of the run.
 */
#ifndef PLAY_KEEPERS_H
#define PLAY_KEEPERS_H

#include "call/dynamic.h"
#include "call/window.h"
#include "play/state.h"

static inline bool play_is_keeper(const struct play *play, rank_t player)
{
    return player >= play->all_ranks || (play->has_registry && player == dynamic_registry(play->all_ranks));
}

/* Somebody is about to send a message to this keeper: it is there, and waits for it. */
void keepers_wake(struct play *, rank_t keeper);

/* A keeper has received a message. */
void keepers_receive(struct play *, struct match);

/* A rank has changed this itself in the memory that it keeps (shown_memories.h). */
void keepers_note_written(struct play *, rank_t keeper, rank_t by, const struct window_piece *, size_t n);

void keepers_release(struct play *);

#endif
