/*
 * window -- the windows of this rank: who is a member, what lies where, and in which epochs the rank is.
 *
 * A window is backed by one of the real library on a communicator of this process alone, which has its attributes, its
 * name, its error handler and its Fortran handle.  The public copy of each member's memory is with its keeper
 * (call/window.h), and nobody reaches the memory of another rank.
 */
#ifndef SHIM_WINDOW_WINDOW_H
#define SHIM_WINDOW_WINDOW_H

#include "call/window.h"
#include "shim/comm.h"
#include "shim/window/message_text.h"

struct request;
struct origin_loan;
struct passed_access;

/* Which lock this rank holds at a target. */
enum target_lock { LOCK_NONE, LOCK_SHARED, LOCK_EXCLUSIVE };

/* Results that the program is yet to hear of, one after the other, each filled up to 8 bytes. */
struct direct_results {
    char *at; /* owned */
    size_t bytes, room;
    struct access_result *list; /* owned */
    uint32_t n, list_room;
    bool any; /* there were accesses, also without results */
};

/* One member of a window, as this rank knows it; what it wants there and has not said yet, or was not answered yet. */
struct target {
    rank_t rank;          /* in MPI_COMM_WORLD */
    uint64_t bytes, unit; /* of its window; displacements are in units */
    bool started;         /* the access epoch of MPI_Win_start is for it, too */
    enum target_lock lock;
    uint64_t ticket;             /* of the lock, if ranks show it to each other (call/shown_lock.h); 0: they do not */
    bool unchecked;              /* the lock is one with MPI_MODE_NOCHECK: its keeper does not know of it */
    const void *locked_at;       /* by the call at this place */
    struct message_text queue;   /* puts and gets, sent together */
    struct message_text *atomic; /* each one message of its own, in a fence epoch, or in either order (either_order.h); owned */
    uint32_t atomics, atomic_room;
    uint64_t calls;              /* either_order.h: accesses since none was waiting, */
    struct passed_access **passed_access; /* and those that were sent and are not complete; owned */
    uint32_t passed;
    uint64_t queue_ticket;       /* `queue` was counted as a message to the memory (keeper_show_counted), and has this one; 0: it was not */
    bool granted;                         /* the memory has answered since the lock was asked for, so it is held */
    char *shown;                          /* its public copy, if ranks have it between them (call/shown_memory.h) */
    struct direct_results made;           /* of accesses that this rank has made there itself */
    uint64_t counted;                     /* messages of this epoch of MPI_Win_start that were sent already */
    struct reply *awaited, *last_awaited; /* answers that are to come, the oldest first */
    struct origin_loan *lent;             /* owned: buffers of operations that are not complete at this rank */
};

/* Memory of which this rank has a private copy: its own window, what is attached, or all parts of a shared window. */
struct private_copy {
    int member;  /* whose window it is */
    uint64_t at; /* where it begins there, as in struct window_piece */
    uint64_t bytes;
    char *memory; /* the program's */
    char *twin;   /* as it was when it was last the same as the public copy; owned */
};

struct window {
    MPI_Win handle;
    struct comm *comm; /* of its own; the members in their order */
    uint32_t slot;
    int flavour; /* MPI_WIN_FLAVOR_CREATE ... */
    void *base;  /* attributes: this rank's part */
    MPI_Aint size;
    int unit;
    bool no_locks;             /* the program has promised that there are none, */
    bool no_more_locks;        /* or that there are none from MPI_Win_set_info on; */
    bool same_operator;        /* and that all accumulates that meet have the same operator */
    uint32_t given_up;         /* the order of accumulates that it does without: WINDOW_NO_RAR ..., */
    bool was_given_up;         /* now, or some time before: */
    bool keys_changed;         /* MPI_Win_set_info has changed one of these two */
    void *block;               /* memory that was made for it; owned */
    struct target *target;     /* by member; owned */
    struct private_copy *copy; /* owned */
    uint32_t copies, copy_room;
    uint32_t heard_of; /* changes of its memory by others, as counted (window_mail.h) when this rank last asked */
    uint32_t in_a_row; /* accesses with results that this rank has made itself since it has last sent one (direct.h) */
    bool shows_locks;  /* its members do so to each other (call/shown_lock.h) */
    bool asking;       /* an exchange is not answered yet: another thread has to wait with its own */
    bool stored;       /* this rank has stored to it since it last synchronized it */
    bool watched;      /* its memory was looked at when the last call that communicates began */
    uint64_t expected; /* accesses to this rank's part that were announced so far and count */

    /* Epochs. */
    bool fence_open;         /* a fence may have begun an epoch */
    bool fence_used;         /* it has: there were accesses */
    bool fence_ended;        /* the last fence promised that none follow (MPI_MODE_NOSUCCEED) */
    bool fence_no_put;       /* and this one, that nobody puts to this rank */
    uint64_t fence_promises; /* what the last one promised, as fence.c has it */
    const void *fence_place; /* and where it was */
    uint32_t fences;
    struct group *started; /* MPI_Win_start; owned, NULL: no such epoch */
    struct group *posted;  /* MPI_Win_post */
    bool post_no_put, post_unchecked;
    const void *post_place;
    struct request **arrival; /* what MPI_Win_wait waits for: of each origin, that it started and that it is complete */
    bool lock_all;
    int locks;       /* targets that are locked one by one */
    bool was_locked; /* some time, by this rank */
};

/*
 * Whether what is sent for an epoch with this lock need not be behind an exclusive lock before it: a shared one need not.  Where ranks show their locks to each other nothing overtakes: requests
 * are followed in the order of their tickets, and the next one must not stand behind another.
 */
static inline bool window_lock_overtakes(const struct window *w, enum target_lock lock)
{
    return lock == LOCK_SHARED && !w->shows_locks;
}

struct window *window_find(MPI_Win); /* NULL: not a window */
int window_not_found(void);          /* raises that */

/* One is made, or freed. */
void window_enter(struct window *);
void window_leave(const struct window *);

/* All that there are, by a number from 0 on; NULL: no more. */
struct window *window_nth(uint32_t);

static inline int window_members(const struct window *w)
{
    return w->comm->local->size;
}

/* Whether this rank loads and stores there itself once an epoch allows it. */
static inline bool window_is_loaded_from(const struct window *w, int member)
{
    return member == w->comm->rank || w->flavour == MPI_WIN_FLAVOR_SHARED;
}

static inline uint64_t window_own_bytes(const struct window *w)
{
    return w->target[w->comm->rank].bytes;
}

static inline rank_t window_memory_of(const struct window *w, int member)
{
    return window_memory_keeper(shim.size, w->slot, w->target[member].rank);
}

static inline rank_t window_lock_of(const struct window *w, int member)
{
    return window_lock_keeper(shim.size, w->slot, w->target[member].rank);
}

#endif
