/*
 * shim -- the library inside a rank.  It decides nothing.
 *
 * The real MPI library below comes up as a singleton and serves only what is
 * local; communicators, groups, requests and all communication are the shim's,
 * which tells tourney what the program wants and hands back what it answers.
 * Each virtual object is backed by a real handle of the library (a duplicate of
 * MPI_COMM_SELF, a group, a generalized request), so conversion to Fortran,
 * attributes and error handlers work by themselves.
 */
#ifndef SHIM_SHIM_H
#define SHIM_SHIM_H

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bodies.h"
#include "call/calls.h"
#include "call/op.h"
#include "call/wire.h"
#include "real.h"

struct shim {
    int rank, size;      /* as tourney counts them: also those that others may start (call/dynamic.h); of a real job, in MPI_COMM_WORLD */
    int universe;        /* MPI_UNIVERSE_SIZE, where the library has it */
    int application;     /* MPI_APPNUM */
    bool initialized, finalized; /* MPI_Init, MPI_Finalize were called */
    bool up;             /* the library below has come up, by MPI_Init or by a session */
    bool over;           /* this rank communicates no more */
    bool rests;          /* nor does it now, but it may begin a session again */
    bool has_sessions;   /* there was one */
    int sessions;        /* that are open */
    bool job;            /* the other ranks are those of a real job, which ends with this one */
    bool watched;        /* calls have to be looked at: before, after, or fewer threads than MPI_THREAD_MULTIPLE */
    int thread_level;
    pthread_t main_thread;
    int own_threads;     /* that MPI_Init has started */
    enum call call;      /* the call being served */
    const void *place;   /* its return address */
    bool bound;          /* it came by a language binding */
    uint64_t clock;      /* the virtual one, in microseconds (virtual_time.h): */
    uint32_t leap;       /* its next leap takes two to this power */
    uint32_t readings;   /* how often it was read since something was done */
    uint64_t leapt;      /* by how much the real clocks are to be later, in a play */
    bool in_runtime;     /* the library of a language, which may hold locks, has led here: nothing of it may be called */
    bool knows_tag_limit; /* the program has asked for MPI_TAG_UB; bindings may do that without our knowledge */
    bool has_windows;    /* of one-sided communication; then: */
    bool has_news;       /* this call has heard from others (private_copies.h) */
    uint32_t withheld;   /* accesses that wait for such as are called later (window/either_order.h) */
    void *library;       /* the real one, dlopen'd */
    MPI_Comm self;       /* a duplicate of MPI_COMM_SELF that the user does not know */
};
extern struct shim shim;

/*
 * Whether other threads may want to communicate while this one waits.  tourney
 * knows a rank to wait in one call at a time, so each of them then waits by
 * polling, and lets the others in between.  A thread alone blocks: nobody is
 * there who could need the turn.  So it is where ranks are copied: there one thread communicates.
 */
bool shim_has_threads(void);

/* One of several threads has seen a message by a probe that does not take it, and will receive it. */
void shim_saw_message(uint64_t context, int32_t source, int32_t tag);

/*
 * This thread is about to communicate, and has not entered the call yet; MPI_THREAD_MULTIPLE was provided.  Where ranks
 * are copied, the first one to do so while the rank has several is the one that communicates, and another is refused.
 */
void shim_hear_thread(enum call call, const void *place);
_Noreturn void shim_refuse_second_thread(void); /* the one that was heard */

/* Only the thread that asks lives on in a copy, unless they take turns (turns.h). */
bool shim_can_be_copied(void);
bool shim_is_single_thread(void);

/* Threads of this process (process/tasks.h) that are, in a search, the program's. */
int shim_count_program_threads(void);

_Noreturn void shim_give_up(const char *why);

/* Memory of the shim's own; ends the run when there is none. */
void *shim_alloc(size_t);
void *shim_realloc(void *, size_t);

#endif
