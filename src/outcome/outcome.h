/*
 * outcome -- the end of one run, with all that is told about it.
 */
#ifndef OUTCOME_OUTCOME_H
#define OUTCOME_OUTCOME_H

#include "base/mem.h"
#include "call/op.h"
#include "outcome/end.h"
#include "sem/agree.h"

struct outcome {
    enum run_end kind;
    rank_t rank;      /* whose doing it was; RANK_NONE: nobody's */
    struct op op;     /* the operation it happened in, if any */
    int code;         /* exit code, abort code, signal; RUN_HUNG: how many seconds */
    bool tight;       /* a deadlock only if MPI holds up calls that it may let return */
    bool mixed;       /* tight, and only if one of these calls is a collective that lets other members go */
    char *text;       /* of an MPI error; a hang, for the record; owned */
    VEC(uint64_t) stack;   /* of a crash, of a hang: addresses */
    rank_t other;     /* RUN_MISMATCH: the rank that does otherwise */
    struct op other_op;
    enum coll_fault fault; /* in what they differ; of a play never COLL_TYPE */
    char *says[2];         /* owned: how each has it, `rank` first; NULL: its call says it */
};

void outcome_release(struct outcome *);

#endif
