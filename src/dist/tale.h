/*
 * tale -- what one rank did in one job, as its file tells (call/causal.h).
 *
 * A tale is cut into segments, as the search wants it (explore/runner.h): the operations up to one
 * that needs an answer, or to the end of the rank.  The file tells of a poll that repeats itself
 * once, with the number of noes; so where a rank stands is a segment and how often it was told no
 * at its end.
 *
 * What differs between runs that are the same is taken out: addresses become numbers of the
 * file they lie in and the offset there (modules.h).
 */
#ifndef DIST_TALE_H
#define DIST_TALE_H

#include "base/bulk.h"
#include "base/mem.h"
#include "call/causal.h"
#include "dist/modules.h"
#include "explore/runner.h"
#include "outcome/window_remark.h"

/* A request that a call has completed, or what a probe saw. */
struct tale_item {
    uint64_t op;         /* that was completed */
    uint64_t bytes;
    uint64_t sender_op;
    rank_t source;       /* or RANK_NONE */
    int32_t tag;
    bool cancelled;
    bool named;          /* it is known which message it was: `sender_op` */
};

struct tale_op {
    uint64_t at;          /* of struct op, in `bytes` */
    uint64_t noes;
    uint32_t first_item, items;
    uint32_t first_index, indexes; /* CHOICE_SET, in `index` */
    int32_t value;
    uint8_t kind;         /* enum causal_choice_kind */
    bool chosen;          /* how it came out is in kind, value and indexes */
    bool answered;        /* the call has returned for good */
    bool turned;          /* its last answer was no, and the rank turned to something else */
};

struct told_segment {
    uint64_t first;       /* operations */
    uint32_t count;
    uint32_t first_content; /* in `content` */
    int code;
    uint8_t end;          /* enum segment_end */
    bool whole;           /* it came to its end; else the job ended first */
    bool assumed;         /* how it ended is not known, but that it did */
    bool taken;           /* store.h: a node of the search has its operations */
};

/* All lists but the last lie in one block (base/bulk.h): tales are long, and there is one for each rank of each job. */
struct tale {
    rank_t rank;          /* RANK_NONE: it never came up */
    const char *mpi;      /* the library that it has loaded, as in library/library.h; NULL: not known */
    void *block;          /* owns */
    size_t size;          /* of it */
    VEC(char) bytes;
    VEC(struct tale_op) op;
    VEC(struct tale_item) item;
    VEC(int32_t) index;
    VEC(struct told_segment) segment;
    VEC(char) remark_bytes;
    VEC(struct window_remark) remark;
    uint64_t *content;    /* for the store: one for each that op_contents counts */
    rank_t forced;        /* what the last operation waits for, as it was decided; else RANK_ANY */
    bool blocked;         /* it waits in the last operation */
    size_t round;         /* it goes round through polls like so many last ones */
    size_t later;         /* how this operation came out was later than it seems (CAUSAL_LATER); SIZE_MAX: none */
    uint64_t late;        /* messages that wildcards could have taken, too, as the clocks tell */
    uint64_t choices;     /* from any source, that came out */
    VEC(uint32_t) unsupported; /* owns; calls that passed without clocks */
};

/* How the process ended, if it did by itself. */
struct tale_end {
    bool ended;
    int status; /* as of waitpid */
};

enum tale_fault {
    TALE_IS_GOOD,
    TALE_IS_NONE,    /* the rank has not come up */
    TALE_IS_OF_MORE, /* it has more companions than it should */
    TALE_IS_DAMAGED, /* or of another version */
};

/*
 * Reads a file that is in memory, of one of that many ranks; what is torn at its end is left out.  Places of
 * code go to the modules.  There is nothing to be released after a fault.
 */
enum tale_fault tale_read(struct tale *, const void *file, uint64_t bytes, int ranks, struct tale_end, struct modules *)
    __attribute__((warn_unused_result));
/* Of a process that never called MPI_Init. */
void tale_nothing(struct tale *, struct tale_end);
void tale_release(struct tale *);

static inline struct op *tale_op(const struct tale *tale, size_t i)
{
    return (struct op *)(tale->bytes.at + tale->op.at[i].at);
}

/* The call at the end of a segment that has one. */
static inline size_t segment_call(const struct told_segment *segment)
{
    return segment->first + segment->count - 1;
}

/* The segment in which an operation lies; none: the number of segments. */
size_t tale_segment_of(const struct tale *, uint64_t op);

#endif
