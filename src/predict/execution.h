/*
 * execution -- one run as prediction sees it: for every rank its operations in
 * order, and what became of each.
 *
 * Where it comes from does not matter: a record on disk (load.h), a run of the
 * search, a test.
 */
#ifndef PREDICT_EXECUTION_H
#define PREDICT_EXECUTION_H

#include "base/map.h"
#include "base/mem.h"
#include "call/op.h"

struct execution_op {
    const struct op *op; /* owns, with its tail */
    bool matched;        /* a send or receive: met somebody */
    bool escaped;        /* a send: a cancel of it failed, whether it met somebody or not */
    bool returned;       /* what follows is known */
    bool flag;           /* a poll: said yes */
    rank_t source;       /* what a probe told */
    int32_t tag;
    uint32_t first, completed; /* in `requests` of the rank: what a completion call completed */
};

struct execution_rank {
    VEC(struct execution_op) op; /* owns */
    VEC(uint32_t) requests;
    bool ended; /* the rank did all it had to; else nobody knows what it would do next */
};

struct execution {
    int ranks;
    struct execution_rank *rank; /* owns */
    struct map place_of;         /* by rank and address, in `places` */
    VEC(char *) places;          /* owns */
    char *program;               /* owns; NULL: unknown */
};

void execution_init(struct execution *, int ranks);
void execution_release(struct execution *);

/* Appends; returns the operation's index. */
uint32_t execution_add(struct execution *, rank_t, const struct op *);
/* The operation's call has returned: `flag` of a poll, the requests a completion completed, the answer of a probe. */
void execution_return(struct execution *, rank_t, uint32_t index, bool flag, const uint32_t *request, uint32_t requests,
                      rank_t source, int32_t tag);
void execution_match(struct execution *, rank_t, uint32_t index);
void execution_escape(struct execution *, rank_t, uint32_t index);
/* "ring.c:41 in main"; NULL: unknown. */
const char *execution_place(const struct execution *, rank_t, uint64_t address);
void execution_set_place(struct execution *, rank_t, uint64_t address, const char *);

#endif
