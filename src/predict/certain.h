/*
 * certain -- what happens in every run with this control flow, whatever the choices.
 *
 * Most of most programs has no choice in it.  A halt is certain if the one before it is
 * and its needs are; a send is, if it and the only slot for it are certainly posted
 * and that slot has room for all that can come: were it left over in the end, it could
 * still be matched.  Such things are constants in the formula.
 */
#ifndef PREDICT_CERTAIN_H
#define PREDICT_CERTAIN_H

#include "predict/join.h"
#include "predict/program.h"

struct buffering {
    bool any;       /* each send and collective as it likes */
    uint64_t slack; /* else; as in sem.h */
};

struct certain {
    bool *passed; /* owns; by halt */
    bool *taken;  /* owns; by send */
};

/* After bounds_find. */
void certain_find(struct certain *, const struct program *, const struct joins *, struct buffering);
void certain_release(struct certain *);

/* M6, M7: complete without being received?  With `any`: in all cases. */
bool is_always_buffered(const struct send *, struct buffering);

#endif
