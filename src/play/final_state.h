/*
 * final_state -- how a play stands when it has ended (outcome/final_state.h).
 */
#ifndef PLAY_FINAL_STATE_H
#define PLAY_FINAL_STATE_H

#include "outcome/final_state.h"
#include "play/play.h"

struct played {
    const struct play *play;
    const struct world *world;
};

/* Borrows what it is given. */
struct final_state play_final_state(struct played *);

#endif
