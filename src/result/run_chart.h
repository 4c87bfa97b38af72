/*
 * run_chart -- one run as plain data: what every rank did, and what met what.
 *
 * doc/result.md says what each part means; the names here are those of the JSON.
 * Everything is owned by whoever holds the struct.
 */
#ifndef RESULT_RUN_CHART_H
#define RESULT_RUN_CHART_H

#include "base/mem.h"
#include "outcome/decision.h"
#include "outcome/end.h"
#include "result/place.h"

enum { EXECUTION_VERSION = 1 };

/*
 * One call on a stack.  Operations are called from few places over and over, so stacks share what
 * they have in common: a frame is named by its index, and stands behind its caller.
 */
struct stack_frame {
    int32_t place;  /* index; -1: from here outwards it is not known */
    int32_t caller; /* -1: none */
};

/* The part of a window that is at one rank. */
struct chart_window {
    rank_t owner;
    uint32_t slot; /* windows that there are at one time have different ones */
};

struct byte_range {
    uint64_t at, bytes;
};

struct act {
    uint32_t op;   /* counted from 0 in the history of the rank */
    int kind;      /* enum op_kind */
    uint8_t thread; /* of the rank: 0 has called MPI_Init */
    uint32_t text; /* index: the call with its arguments */
    int32_t place; /* index; -1: unknown */
    bool blocking; /* the call returns when the operation is complete */
    int32_t window; /* index; it goes to a window, and no receive of the program takes it; -1: it does not */
    bool reads;     /* from the window: MPI_Get */
    VEC(struct byte_range) ranges; /* that it accesses there, from the base of the window */
    VEC(uint32_t) requests; /* that a wait, test, cancel or free is about, or an access races with: operations, as `op` */
    VEC(int32_t) stack;     /* of a crash: places, from the innermost */
    int32_t frame;          /* of another: the innermost, whose place is that of the act; -1: not known */
};


/* What one rank did. */
struct lane {
    int end;           /* enum rank_stand */
    uint32_t left_out; /* so many acts, in the middle */
    VEC(struct act) acts;
};

struct op_pair {
    struct op_name send, receive;
};

/* Members of one collective that have joined. */
struct gathering {
    VEC(struct op_name) members;
};

struct run_chart {
    VEC(char *) texts;
    VEC(struct named_place) places; /* named by their index, for many operations share one */
    VEC(struct stack_frame) frames;
    VEC(struct lane) lanes; /* by rank */
    VEC(struct op_pair) matches;  /* in an order in which they came about */
    VEC(struct op_pair) possible; /* not made, but open when it was decided what the receive takes */
    VEC(struct gathering) collectives;
    VEC(struct chart_window) windows;
    VEC(struct gathering) turns; /* of a window, or of its lock: what it took, in this order */
};

/*
 * Whether this operation is part of an execution: a call of the program, or a complaint that names the line at which the
 * program touches the buffer of a pending operation.
 */
bool run_chart_tells(const struct op *);

void run_chart_release(struct run_chart *);

/* As JSON, and back: as with a result. */
char *run_chart_print(const struct run_chart *);
int run_chart_parse(struct run_chart *, const char *text, size_t size, char **why) __attribute__((warn_unused_result));

#endif
