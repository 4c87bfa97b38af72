/*
 * witness -- a predicted deadlock as a run that the search can try.
 */
#ifndef ORACLE_WITNESS_H
#define ORACLE_WITNESS_H

#include "explore/explore.h"
#include "predict/predict.h"

struct witness {
    VEC(struct decision) decisions;
    VEC(struct op_name) buffered, unbuffered;
};

/* Of a prediction of a deadlock by our own encoding.  Owned by the caller. */
struct witness witness_of(const struct program *, const struct prediction *);
void witness_release(struct witness *);

/* Borrows it, for explore_try. */
struct tried_run witness_run(const struct witness *);

/* Whether it needs that MPI does not buffer all it can; and then the same with all the slack there is. */
bool witness_is_held(const struct witness *);
struct tried_run witness_run_loose(const struct witness *);

#endif
