/*
 * play -- one execution: operations go into the semantics, answers come out.
 *
 * Ranks run until they block; what is forced is matched at once; only when
 * nobody can move is a choice made (after [POE]).  Choices here
 * are fixed: the lowest source, the first request, polls say yes if they can.
 */
#ifndef PLAY_PLAY_H
#define PLAY_PLAY_H

#include "sem/agree.h"
#include "sem/sem.h"
#include "trace/trace.h"
#include "world/world.h"

enum outcome_kind {
    OUTCOME_ENDED,    /* every rank has ended by itself */
    OUTCOME_DEADLOCK, /* M9 */
    OUTCOME_LIVELOCK, /* somebody polls, and nothing can ever come (M8) */
    OUTCOME_CRASH,    /* a rank died of a signal */
    OUTCOME_HANG,     /* a rank makes no call any more */
    OUTCOME_ABORT,    /* MPI_Abort */
    OUTCOME_ERROR,    /* an MPI error that was fatal */
    OUTCOME_MISMATCH, /* members disagree which collective it is */
    OUTCOME_REFUSED,  /* a call that tourney does not take over */
    OUTCOME_STOPPED,  /* by a signal to tourney */
};

struct outcome {
    enum outcome_kind kind;
    rank_t rank;      /* whose doing it was; RANK_NONE: nobody's */
    struct op op;     /* the operation it happened in, if any */
    int code;         /* exit code, abort code, signal; OUTCOME_HANG: how many seconds */
    bool early;       /* a crash before MPI_Init */
    bool tight;       /* a deadlock only if MPI holds up calls that it may let return, */
    bool mixed;       /* and only if one of these is a collective that lets other members go */
    char *text;       /* of an MPI error; a hang, for the record; owned */
    VEC(uint64_t) stack;   /* of a crash, of a hang: addresses */
    rank_t other;     /* OUTCOME_MISMATCH: the rank that does otherwise */
    struct op other_op;
    enum coll_fault fault; /* in what; of a play never COLL_TYPE, */
    char *says[2];         /* and how each has it, `rank` first; NULL: its call says it; owned */
};

struct play;

/* `trace` may be NULL; it is borrowed, as is the world. */
struct play *play_new(struct world *, uint64_t slack, struct trace_writer *trace,
                      void (*locate)(void *, rank_t, uint64_t address, struct trace_place *), void *locator);
struct outcome play_run(struct play *);
void play_free(struct play *);
void outcome_release(struct outcome *);

/* For reports: what the state is when it has ended. */
const struct sem *play_sem(const struct play *);
bool play_is_waiting(const struct play *, rank_t);          /* in a call that did not return */
const struct op *play_call(const struct play *, rank_t);    /* that call */
const struct op *play_op(const struct play *, op_id);       /* what was posted */
const struct op *play_init(const struct play *, rank_t); /* its OP_INIT; NULL: not yet */
const char *play_context_name(const struct play *, context_t);
const char *play_type_name(const struct play *, rank_t, uint32_t type);
size_t play_complaints(const struct play *);                /* OP_COMPLAINT, in the order in which they came */
const struct op *play_complaint(const struct play *, size_t, rank_t *);

#endif
