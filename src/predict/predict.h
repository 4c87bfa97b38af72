/*
 * predict -- from one execution: can a run with the same control flow deadlock?  Or: can
 * this receive take that message, in a run that ends in whatever way?
 *
 * The answer is exact for runs with the same control flow (program.h says what that
 * is), under each model of buffering (M7).  A deadlock that is predicted comes with
 * the run that leads there, which the semantics core has played through.
 */
#ifndef PREDICT_PREDICT_H
#define PREDICT_PREDICT_H

#include "predict/order.h"

enum encoding { ENCODING_OURS, ENCODING_PLAIN, ENCODING_MULTI };

struct prediction_options {
    enum encoding encoding;
    struct buffering buffering;
    const struct sat_solver *solver; /* NULL: CaDiCaL */
    int64_t conflicts;               /* give up after so many; 0: never */
    bool minimal;                    /* of the operations that must not be buffered, leave out what can be */
    FILE *dimacs, *proof;            /* the clauses, in the end; if there is no such run, why.  NULL: not wanted */
    const struct match_query
        *match; /* NULL: a run that deadlocks is wanted; else any in which these meet.  Ours only */
};

/* A send, and a receive or matched probe, in `send` and `slot` of a program that does not merge. */
struct match_query {
    uint32_t send, slot;
};

enum predicted { PREDICTED_DEADLOCK, PREDICTED_MATCH, PREDICTED_NONE, PREDICTED_UNKNOWN };

/* A rank that does not finish, and the operation it is in. */
struct stuck_rank {
    rank_t rank;
    uint32_t op;
};

struct prediction {
    enum predicted verdict;
    const char *why; /* PREDICTED_UNKNOWN: in words */
    VEC(struct event) run;        /* owns; what happens, in order.  Ours only */
    VEC(struct stuck_rank) stuck; /* owns */
    VEC(uint32_t) held;           /* owns; sends that must not be buffered: somebody waits for them in vain */
    VEC(uint32_t) carried;        /* owns; sends that must be buffered: their ranks went on before they were received */
    VEC(uint32_t) tight;          /* owns; parts of collectives that must wait for all */
    VEC(uint32_t) early;          /* owns; those that must not: their ranks went on before all had come */
    uint64_t pairs, circles;
    struct sat_count count;
    int64_t encoding, solving;    /* microseconds */
};

struct prediction predict(struct program *, const struct prediction_options *);
void prediction_release(struct prediction *);

#endif
