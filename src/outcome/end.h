/*
 * end -- how a run ended: of a play, of the search, of a model, in the words of all of them.
 */
#ifndef OUTCOME_END_H
#define OUTCOME_END_H

#define RUN_END_TABLE(X)                                                                          \
    X(CLEAN, "clean")         /* every rank has ended by itself */                                \
    X(DEADLOCK, "deadlock")   /* M9 */                                                            \
    X(LIVELOCK, "livelock")   /* the same, but somebody polls, and nothing can ever come (M8) */  \
    X(ABORT, "abort")         /* MPI_Abort */                                                     \
    X(ERROR, "error")         /* an MPI error that was fatal */                                   \
    X(REFUSED, "refused")     /* a call that tourney does not take over */                        \
    X(CRASH, "crash")         /* a rank died of a signal */                                       \
    X(HUNG, "hang")           /* a rank makes no call any more */                                 \
    X(DIVERGED, "divergence") /* a rank did something else on the same history */                 \
    X(UNKNOWN, "unknown")     /* what a rank does could not be found out */                       \
    X(MISMATCH, "mismatch")   /* members do not agree on a collective */                          \
    X(STOPPED, "stopped")     /* by a signal to tourney; of a play only */

#define RUN_END(end, name) RUN_##end,
enum run_end { RUN_END_TABLE(RUN_END) };
#undef RUN_END
enum { RUN_ENDS = RUN_STOPPED + 1 };

const char *run_end_name(enum run_end);

/* And where a rank is then. */
enum rank_stand {
    RANK_IN_CALL,   /* in a call that did not return */
    RANK_COMPUTING, /* in none */
    RANK_FINALIZED, /* has called MPI_Finalize */
    RANK_EXITED,    /* has ended without */
    RANK_UNBORN,    /* nobody has started it (call/dynamic.h) */
};

#endif
