/*
 * decision -- what MPI leaves open, and how it was settled in a run.
 *
 * Operations are named by their rank and their number in its history, so that a decision means the
 * same in every search of the program, in files and in reports.
 */
#ifndef OUTCOME_DECISION_H
#define OUTCOME_DECISION_H

#include "call/op.h"

enum decision_kind {
    DECIDED_MATCH, /* `op` is a receive: it took `message` of `source` */
    DECIDED_SEEN,  /* `op` is a probe: it saw, or took, `message` of `source` */
    DECIDED_SOME,  /* `op` is a wait or test: it returned the requests in `set` */
    DECIDED_NO,    /* `op` is a poll: it said no; `noes` as in struct ret */
    DECIDED_CANCEL, /* `op` is a cancel of `message`, of the same rank; `set` is 1: in time, 0: it fails (D5) */
    DECIDED_CHOICE, /* `op` asks which of several alternatives it is to be: `set` has the one that it is */
};

struct decision {
    enum decision_kind kind;
    rank_t rank;
    uint32_t op;      /* counted from 0 in the history of the rank */
    rank_t source;    /* else RANK_NONE */
    uint32_t message; /* the send, counted as `op` in the history of the source */
    uint64_t set;     /* of positions in the list of the call (those from 64 on are left out) */
    uint32_t noes;    /* else 0 */
};

/* How often a rank went on to say no is no matter of what was open. */
static inline bool decision_is_same(const struct decision *a, const struct decision *b)
{
    return a->kind == b->kind && a->rank == b->rank && a->op == b->op && a->source == b->source &&
           a->message == b->message && a->set == b->set;
}

/* An operation, counted from 0 in the history of its rank. */
struct op_name {
    rank_t rank;
    uint32_t op;
};

/* A send and a receive, or a probe that took the message. */
struct pairing {
    struct op_name send, recv;
    bool made; /* no: the receive was open to it, too, when it was decided what it takes */
};

#endif
