/*
 * noise -- what makes ranks look different that are the same.
 *
 * tourney compares the memory of sleeping ranks, byte by byte (world/image.h): two that
 * are equal will do the same.  So what differs for reasons of the shim's own lies in
 * `noise`, which is left out; and what calls leave behind on the stack is wiped out.
 */
#ifndef SHIM_NOISE_H
#define SHIM_NOISE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#include "arch/registers.h"
#include "call/wire.h"
#include "shim/fence.h"
#include "shim/gate/kept_state.h"

enum {
    NOISE_PAGE = 4096,
    NOISE_GRANTS = 8,
    NOISE_STACK = 1 << 16,
    NOISE_SPANS = 256,
    NOISE_LINES = 1024,
    NOISE_BLOCKS = 16,
    NOISE_JUDGED = 512,
};

/*
 * How a buffer is watched (guard.c): with what effort depends on what the rank did before.  What it
 * finds out does, too, but only in programs that are wrong.
 */
struct noise_watch {
    uint64_t sum;      /* of its contents */
    bool summed;       /* that is worth a comparison */
    bool first, early; /* of its line: the first operation, one of the first */
    bool fenced;
    uint32_t age;      /* operations since it was started */
};

/* A block of malloc that was looked for (bounds.c). */
struct noise_block {
    uintptr_t start;
    size_t size;
};

struct noise {
    pthread_mutex_t entry; /* keeps the number of the thread that has locked it */
    _Atomic pthread_t talker; /* where ranks are copied and this one has several threads: the one that communicates */
    int refused_call;         /* enum call: what another one was about to call, and where; NULL: there is none */
    const void *_Atomic refused_place;
    bool restless;            /* one of them did not come to rest */
    bool only_thread;         /* when MPI was up the program had one, */
    size_t threads_started;   /* and so many had been started, by the MPI library or before */
    uint64_t posted;       /* as own->posted will be after the commit */
    uint32_t answered;     /* answers taken so far */
    uint64_t foretold;     /* where in the arena the next one is; 0: it is not known yet */
    bool asleep;           /* and counted as such */
    bool copy;             /* of another process, made after MPI_Init */
    bool returns;          /* it has savepoints (virtual/savepoint.h) */
    bool trapped;          /* the filter for that is there: in this process, or in the one of which it is a copy */
    bool has_files;        /* or folders, open: there were some when they were last looked at (virtual/copy_obstacles.h) */
    struct {
        uint64_t key;
        uint32_t left;
    } grant[NOISE_GRANTS]; /* polls to answer with no, and how often; in ranks that are copied, `granted` says how often */
    uint32_t grants;       /* ever noted since something else was posted */
    uint32_t granted;      /* to all of these polls together */
    uint32_t noes;         /* noes of polls since the clock was last read or something was done (virtual_time.h) */
    uint64_t slept;        /* microseconds that the program wanted to sleep in between */
    uint64_t forks;        /* made by the program */
    void *numbered;        /* the thread pointer of the thread whose number was asked for last, */
    void *thread_number;   /* and where that is */
    struct savepoint_place place; /* of a rank that sleeps: where it would come back to */
    uint64_t signal_mask;         /* and with which signals blocked */
    struct itimerval timer[ITIMER_PROF + 1]; /* of a rank that sleeps: what is left of its timers (virtual/copy_obstacles.h) */
    struct itimerspec posix_timer[KEPT_TIMERS]; /* the same of its POSIX timers */
    struct {
        struct fence_run run[FENCE_RUNS]; /* what is up */
        int runs;
        uint32_t steps, system_calls;     /* that are left until the next call */
        uint32_t given;                   /* of the steps, if the run is looked at once more */
        int thread;                       /* the program's */
        uintptr_t foreign;                /* where another one ran into it last */
        _Atomic int busy;                 /* the thread that changes something of this; 0: none */
        bool lowering;                    /* its thread takes it down, perhaps from around its own stack */
        bool stepping;
        uintptr_t stepped;                /* the instruction */
        bool is_known_to_kernel;
        uint32_t calm;                    /* calls in a row without one */
        volatile char selector;           /* of PR_SET_SYSCALL_USER_DISPATCH */
    } fence;
    struct noise_watch watch[NOISE_SPANS];
    struct noise_block block[NOISE_BLOCKS];
    uint64_t judged[NOISE_JUDGED]; /* buffers in variables that were looked at, as hashes */
    uint8_t seen[NOISE_LINES]; /* operations of a line, by a hash of its address, up to some number */
    _Alignas(NOISE_PAGE) char stack[NOISE_STACK]; /* of handlers; no buffer of the program's is on these pages */
    _Alignas(NOISE_PAGE) char output[NOISE_PAGE]; /* the buffer of stdout: what was printed is still in there */
};
extern struct noise noise;

/* At MPI_Init. */
void noise_open(void);

/*
 * Waits until the other threads sleep, but not for ever; false: one does not.  One of the MPI library that has still to
 * come up writes to memory later, at a moment of its own; one of the program may be about to communicate.
 */
bool noise_wait_for_threads(int milliseconds);

/* MPI is up, and the program has no thread but this one. */
void noise_note_only_thread(void);

/* Where to look away; below `stack`, for one. */
struct wire_sleep noise_places(uintptr_t stack);

/* Where the C library keeps the number of this thread. */
void *noise_thread_number(void);

/*
 * Makes zero what calls that have returned left below the caller's frame, so that it does
 * not show in calls which are made next and do not fill all of theirs.
 */
__attribute__((noinline)) void noise_wipe_stack(void);
void noise_keep_stack(void); /* nobody will compare the images of this rank: it is not wiped any more */

#endif
