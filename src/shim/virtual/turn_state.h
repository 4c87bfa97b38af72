/*
 * turn_state -- the threads of a rank that take turns (shim/turns.h), and what each of them is doing.
 *
 * Only the thread that has the turn reads or changes this, but for what is atomic.
 */
#ifndef SHIM_VIRTUAL_TURN_STATE_H
#define SHIM_VIRTUAL_TURN_STATE_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/registers.h"
#include "call/calls.h"
#include "call/wire.h"
#include "shim/virtual/thread_patterns.h"

enum { MOST_THREADS = 256 };
#define NEVER_YIELDED UINT64_MAX

enum turn_state {
    TURN_NONE,     /* nobody has this number */
    TURN_RUNS,
    TURN_READY,    /* it can run on at once */
    TURN_STOPPED,  /* in front of a call that may compete, or of a lock */
    TURN_YIELDS,   /* polls, or waits for something that nobody tells */
    TURN_WAITS,    /* for requests */
    TURN_BLOCKED,  /* on a futex */
};

/* What a thread that waits for its turn has besides memory (turn_copies.h). */
struct thread_kept {
    struct savepoint_place place;
    void *pointer;           /* the thread pointer */
    uint64_t blocked;        /* signals */
    stack_t handlers;        /* their stack */
    void *robust;            /* list of the mutexes of which the kernel is to tell that their owner has died */
    size_t robust_bytes;
};

struct thread {
    enum turn_state state;
    _Atomic uint32_t parked;      /* it waits for its turn, and `kept` is true: a futex */
    struct thread_kept kept;
    _Atomic uint32_t go;          /* its futex: 1: it has the turn */
    bool ended;                   /* and gives its number back when it has left the kernel */
    pid_t tid;
    pid_t owner;                  /* the number by which the C library knows it: that of the thread that this one is a copy of */
    _Atomic int *tid_word;        /* the kernel makes it 0 when the thread is gone */
    struct call_pattern pattern;  /* TURN_STOPPED, and of a probe that polls */
    const void *lock;             /* the mutex that it has asked for last; NULL: it has called something else since */
    const uint32_t *number;       /* TURN_WAITS */
    uint32_t numbers;
    bool sure;                    /* one of them is complete, unless there is less slack */
    bool held;                    /* it waits all the same, as it would with less slack, until nobody else can go on */
    const uint32_t *word;         /* TURN_BLOCKED */
    uint32_t bits;
    bool timed;                   /* it does not wait for ever */
    const void *returns_to;       /* the mutex that it takes again when it has waited for a condition; NULL: it waits for none */
    bool signals;                 /* it signals a condition, and one of those who wait is woken */
    long result;                  /* of the call that blocked */
    uint64_t yielded_at;          /* `steps` when it last went on from a poll; NEVER_YIELDED: from one that it makes again and again */
    const void *polls_at;         /* where it has called last */
    uint64_t turn;                /* number of its last turn: who has not had one for longest comes first */
    bool inside;                  /* it has given up its turn within an MPI call */
    enum call call;               /* the MPI call that it is in, or the last one; and where */
    const void *place;
    void *(*function)(void *);    /* with which it begins, and its argument */
    void *data;
    bool spins;                   /* TURN_YIELDS: it waits for another thread to change memory, and so for the next step of one */
    bool impatient;               /* it was found to spin before */
    uint32_t locks;               /* that it has asked for since its turn began, or since it communicated last */
    bool gives_way;               /* it goes on after it was found to spin, and stops when it asks for a lock: it may have been stopped while it had one */
};

struct turn_table {
    bool open;
    bool begun;
    bool is_script;               /* the program is an interpreter, whose locks are its own_thread affair */
    struct wire_head *head;
    int alive, numbers;           /* threads, and numbers that were ever given */
    bool first_is_gone;           /* the thread with which the process began has ended: the kernel counts it all the same */
    int left;                     /* threads that have ended, and for whom nobody has waited yet */
    struct thread thread[MOST_THREADS];
    _Atomic(struct thread *) current;
    struct thread *keeper_user;   /* the last one that has spoken to a keeper (call/window.h); NULL: none has */
    struct thread *leaver;        /* had the turn before the current one, and ends */
    bool asks;                    /* what is posted now is a question of ours, */
    const struct thread *spoken;  /* as if this thread asked */
    uint64_t steps;               /* grows when something else than a poll goes on */
    uint64_t turns;
    const struct thread *chosen;  /* to go on when threads had stopped, the last time, */
    uint32_t in_a_row;            /* and how often before that, in a row, while others could have been */
    _Atomic uint64_t switches;
};
extern struct turn_table turns;

/* NULL: this thread takes no turns. */
extern __thread struct thread *own_thread;

static inline int number_of_thread(const struct thread *t)
{
    return (int)(t - turns.thread);
}

#endif
