/*
 * ahead -- what became of the operations of an execution.
 *
 * Matches, answers and places stand further down in a record than the
 * operations they belong to.  Here they are, from one reading to the end, in
 * some 24 bytes each.
 */
#ifndef TRACE_AHEAD_H
#define TRACE_AHEAD_H

#include "base/map.h"
#include "base/mem.h"
#include "trace/line.h"
#include "trace/trace.h"

/* A match, or (`rank` is RANK_NONE) the answer with number `other`. */
struct ahead_outcome {
    uint64_t index;
    uint64_t other;
    rank_t rank;
};

/* How a call returned, if that says more than "done": tests, probes, and waits for any. */
struct ahead_answer {
    bool flag;
    rank_t source;
    int32_t tag;
    uint64_t bytes;
    char *requests; /* owns; as text, or NULL */
};

struct rank_ahead {
    VEC(struct ahead_outcome) outcomes; /* owns; by index */
    bool sorted;
    bool returned; /* from the last operation */
    uint64_t last;
    uint32_t flags; /* of the last */
    uint16_t kind;
};

struct ahead {
    bool whole;                   /* the record was read to its end */
    struct map rank_of;           /* in `ranks`: a head may promise any number of them */
    VEC(struct rank_ahead) ranks; /* owns */
    VEC(struct ahead_answer) answers;   /* owns */
    struct map place_of;          /* by rank and address */
    VEC(char *) places;           /* owns; as text */
};

/* Reads all there is; `ahead` is empty before. */
void ahead_read(struct ahead *, struct trace_reader *);
void ahead_release(struct ahead *);

/* The outcomes of an operation, and how many. */
size_t ahead_outcomes(const struct ahead *, struct op_ref, const struct ahead_outcome **);
/* Was the rank still in this call, its last, when everything ended? */
bool ahead_never_returned(const struct ahead *, struct op_ref, const struct op *);
/* NULL: unknown. */
const char *ahead_place(const struct ahead *, rank_t, uint64_t address);

#endif
