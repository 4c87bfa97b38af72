/*
 * draft -- a random MPI program: what each rank calls, one step after the other.
 *
 * It is drawn from a seed, the same on every rank.  First come events in a line: a message, a collective, a
 * cancel.  Each rank's program is what it has to do with them, in this order.  So one way to go through it never
 * waits for anything that is not there; wildcards, polls and buffering open others, and some of these may
 * be deadlocks.
 */
#ifndef DRAFT_H
#define DRAFT_H

enum { DRAFT_RANKS = 3, DRAFT_STEPS = 40, DRAFT_REQUESTS = 16, DRAFT_TRIES = 2, DRAFT_ANY = -1, DRAFT_NULL = -2 };

enum step_kind {
    STEP_SEND,        /* in a mode; a request if it does not block */
    STEP_RECEIVE,     /* a request if it does not block */
    STEP_PROBE,       /* and the receive of what it saw; matched or not */
    STEP_IPROBE,      /* DRAFT_TRIES times; then the receive of what it saw, if it did */
    STEP_COLLECTIVE,  /* a request if it does not block */
    STEP_CANCEL,      /* of a request, and the wait for it */
    STEP_WAIT,        /* for one request */
    STEP_TEST,        /* of one request, once */
    STEP_COMPLETE,    /* of all requests that are open, by one of the calls below */
};

enum step_form { FORM_BLOCKING, FORM_IMMEDIATE, FORM_PERSISTENT };
enum step_mode { MODE_STANDARD, MODE_SYNCHRONOUS, MODE_BUFFERED };
enum complete_by { BY_WAITALL, BY_WAITANY, BY_WAITSOME, BY_TESTANY, BY_TESTSOME, BY_TESTALL };

enum collective {
    COLLECTIVE_BARRIER,
    COLLECTIVE_BCAST,
    COLLECTIVE_REDUCE,
    COLLECTIVE_ALLREDUCE,
    COLLECTIVE_GATHER,
    COLLECTIVE_GATHERV,
    COLLECTIVE_SCATTER,
    COLLECTIVE_SCATTERV,
    COLLECTIVE_ALLGATHER,
    COLLECTIVE_ALLTOALL,
    COLLECTIVE_ALLTOALLV,
    COLLECTIVE_SCAN,
    COLLECTIVE_EXSCAN,
    COLLECTIVE_REDUCE_SCATTER_BLOCK,
    COLLECTIVES
};

struct step {
    enum step_kind kind;
    enum step_form form;
    enum step_mode mode;
    enum collective collective;
    enum complete_by by;
    int peer;           /* a rank, DRAFT_ANY or DRAFT_NULL; the root of a collective */
    int tag;            /* or DRAFT_ANY */
    int comm;           /* 0 or 1: both have all ranks */
    int count;          /* 0 or 1 integers */
    int matched;        /* STEP_PROBE, STEP_IPROBE: MPI_Mprobe, MPI_Improbe */
    int request;        /* its number, if it has one */
    int value;          /* what is sent */
    int late;           /* a persistent collective: it is started after the step behind it, which is another one */
    unsigned absent;    /* GATHERV, SCATTERV, ALLTOALLV: bit p, bit 3 p + q: position p (to q) has nothing */
};

struct draft {
    int steps[DRAFT_RANKS];
    struct step step[DRAFT_RANKS][DRAFT_STEPS];
};

void draft_make(struct draft *, unsigned long seed);

/* Uniform below n; the state is the caller's. */
unsigned draft_below(unsigned long *state, unsigned n);

#endif
