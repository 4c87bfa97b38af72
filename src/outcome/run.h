/*
 * run -- one way in which the program can end, as a visitor of the search is told of it.
 */
#ifndef OUTCOME_RUN_H
#define OUTCOME_RUN_H

#include "outcome/end.h"
#include "outcome/history.h"
#include "sem/agree.h"
#include "sem/sem.h"

struct tight;

/* Borrowed, for the time of the visit. */
struct run {
    uint64_t number; /* from 1 */
    uint32_t step;   /* for explore_account and explore_turning */
    enum run_end end;
    rank_t rank;                    /* of an unusual end: whose, the lowest; else RANK_NONE */
    rank_t other;                   /* RUN_MISMATCH: who does otherwise */
    const struct op *op, *other_op; /* RUN_MISMATCH: the two operations */
    struct coll_unlike unlike;      /* RUN_MISMATCH: in what they differ */
    const struct sem *sem;          /* the state at the end; `user` of an operation is for explore_op */
    const node_id *node;            /* by rank: where its history ended */
    const struct op *const *call;   /* by rank: the call it is in; NULL: none, it is over */
    bool scouted;                   /* made ahead of the search, with step 0; its end is told again when the search comes there */
    const struct tight *less_slack; /* a deadlock on the way of the run, if some sends are not buffered; else NULL */
    bool mixed;                     /* and a collective holds a member although it has let another go */
};

#endif
