/*
 * join -- the members of a collective that a call waits for, as one thing.
 *
 * Members of a collective mostly wait for the same others: all, or all below them.
 * A join stands for the positions from..until-1 of one turn; it is made once, and
 * one that goes on where another ends is built upon that one, so that all joins of a
 * collective with n members take room n, whatever each of them needs.
 */
#ifndef PREDICT_JOIN_H
#define PREDICT_JOIN_H

#include "predict/program.h"

struct join {
    int32_t base;          /* another join, of the same positions but the last; -1: none */
    uint32_t first, halts; /* in `halt`: must be passed for the members to have joined */
    bool never;            /* somebody makes no such call */
};

struct joins {
    VEC(struct join) join;
    VEC(halt_t) halt;
    struct map join_of;
    /*
     * By part: what it needs by data flow, and in order to synchronise; -1: nobody.  Where a rank ends without having
     * called the collective, that is an error by itself, and nothing more is asked for than the data flow.
     */
    VEC(int32_t) flow, full;
};

void joins_init(struct joins *, const struct program *);
void joins_release(struct joins *);

/* Whether the members of a join, -1: nobody, have joined when these halts are passed. */
bool joins_over(const struct joins *, int32_t join, const bool *passed);

#endif
