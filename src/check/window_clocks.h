/*
 * window_clocks -- what each rank knows of the others in a run with windows, at each point of it.
 *
 * A vector clock per segment, as in past.h: how many operations of each rank are known to have been posted.  What is known is what MPI
 * guarantees, whatever the library does and however fast anybody is:
 *
 * - A message tells its receiver, a collective its members (one on a file only if that is opened), a synchronous send its sender that the receive was posted.
 * - A lock that excludes another one, and is granted after it was released, comes after all that was complete then (12.5.3).
 *   Accesses under the lock know that; their rank does once it has heard back from the target.  Shared locks tell nothing to each other.
 * - An atomic access with a result that finds what an earlier one of the accumulate family has left there, at once or through others, comes after
 *   all that was complete when that one was called.  MPI does not say so in as many words, but every lock that is built of atomic accesses
 *   (12.8 has some) is right only if it holds: once the result is there, the earlier access is over, and what was flushed before it is, too (12.5.4).
 * - A rank that is brought news of its window may load them, and wait that way (12.7: polling on a location is allowed in the unified
 *   model).  So it is taken to have learned from those who wrote there, from the segment on in which it first touches a window again; where nobody
 *   has seen whether it did, at once.
 *
 * In which order the keeper of a window has taken what else came is chance, and tells nothing.
 *
 * A rank may go through the same operations several times, so operations are known by their number in the rank.
 */
#ifndef CHECK_WINDOW_CLOCKS_H
#define CHECK_WINDOW_CLOCKS_H

#include "base/map.h"
#include "base/mem.h"
#include "outcome/chapter_rest.h"
#include "outcome/local_touch.h"
#include "outcome/told_run.h"
#include "outcome/window_remark.h"

struct window_past;

struct record_segment {
    node_id node;
    uint32_t first, count; /* operations, by number */
    const struct ret *ret; /* NULL: the beginning, or a poll said no */
    uint32_t skipped;        /* so many operations of the node are in segments before it */
    uint32_t heard, until;   /* in `heard` of the rank: accesses that it has made itself, of whose results it hears with its first operation */
    const struct op *learns; /* on a real job: the remark with which it begins, by which the rank has learned something; or NULL */
};

/* One rank, operation by operation. */
struct rank_record {
    VEC(struct record_segment) segment;
    VEC(const struct op *) op;  /* by number */
    bool listed;                /* that list is borrowed, from the run */
    VEC(uint32_t) segment_of;   /* by number */
    VEC(uint32_t) mark;         /* numbers of operations with a request, and of those that take locks or give them back */
    size_t passed;              /* so many of these are in segments that have their clocks */
    struct op_name *met;        /* owns; by number: of a send, 1 + the rank of the receive, and its number, and the other way round; 0: none */
    VEC(uint32_t) request;      /* by request: 1 + the number of the operation that posted it last */
    struct map held;            /* keeper of a lock, or on a real job window and target -> number of the request */
    uint32_t *news;             /* owns; what it will have learned when it touches a window; NULL: there is nothing */
    VEC(uint32_t) number;       /* by number in the account: that is another one if remarks come between; empty: it is the same */
    VEC(uint32_t) unheard;      /* numbers of WINDOW_DONE of which it has not heard yet, while operations are added */
    VEC(uint32_t) heard;        /* those of which it has, in that order */
    VEC(struct op_name) learned; /* windows, by slot in place of a number, and targets whose lock is known since a lock was last asked for, by what it has heard */
    struct op_name last_atomic; /* the keeper, not 0, of the last atomic access that was added, and in place of a number, of which of `atomics` it is */
    VEC(uint32_t) remark;       /* by number from 1 of a remark */
    uint32_t *clock;            /* owns; `width` numbers for each segment */
    uint32_t *gain;             /* owns; by number: of a request for a lock, and of WINDOW_DONE of an atomic access, 1 + the clock that came with it; 0: none */
    uint32_t done;              /* segments that have theirs */
    rank_t awaits;              /* the next one needs something of this player, */
    uint32_t awaits_until;      /* who will have done so much then; 0: it does not */
    uint32_t awaits_gain;       /* or what came with an operation of its own: 1 + its number; 0: it does not */
};

/* The keeper of a lock or of a memory: what it took, in its order. */
struct keeper_record {
    VEC(struct op_name) taken;
    uint32_t done;         /* of these, so many are looked at, */
    uint32_t messages;     /* among them so many messages, to which it may have written letters */
    uint32_t *all, *alone; /* owns; the lock: what was released, and by those who had it alone.  The memory: who has written there */
    bool is_alone;
    struct map location;   /* the memory: where an atomic access was -> its clock */
    uint32_t large;        /* clock of atomic accesses to many elements; 0: there was none */
    VEC(uint32_t) atomic;  /* by rank: how many atomic accesses of it were taken */
    VEC(uint32_t) result;  /* by number of a letter: 1 + the clock that it brings; 0: none */
};

typedef VEC(uint32_t) atomic_uses_t;

/* Parts of a collective that were heard, and what they told together. */
struct heard_together {
    const struct answer_piece *piece; /* borrows, from the run */
    uint32_t n;
    uint32_t *clock; /* owns; NULL: nothing was heard yet */
};

struct window_clocks {
    int ranks, players;
    int width;                    /* ranks that have done something: so many numbers has a clock */
    struct rank_record *rank;     /* owns */
    struct keeper_record *keeper; /* owns; by player, ranks are empty */
    VEC(rank_t) active;           /* players that have something to do */
    VEC(uint32_t) pool;           /* clocks, one after the other; the first is nobody's */
    struct map part;              /* address of a part of a collective -> `parts` */
    VEC(struct op_name) parts;
    struct heard_together together; /* the last time */
    uint32_t *scratch;            /* owns; a clock */
    struct map atomic;            /* rank and keeper -> `atomics` */
    VEC(atomic_uses_t) atomics;   /* numbers of OP_ACCESS, in their order */
    VEC(struct op_name) common;   /* operations that make windows, and fences: by rank, and then by number */
    const struct local_touches *touches; /* borrows; NULL: nobody knows loads and stores */
    bool untold;                  /* there were more remarks than were told */
    bool by_news;                 /* a rank was taken to have learned from what it may have loaded */
    const struct window_past *past; /* borrows; NULL: the run begins here */
};

/*
 * False: the run cannot be followed, and nothing is known.  On a real job, with what that tells of windows; else NULL.  Who knows loads and stores is
 * borrowed while it lives; NULL: nobody does.
 */
bool window_clocks_begin(struct window_clocks *, const struct told_run *, const struct window_remarks *, const struct local_touches *);

/* The same of a play that goes on where the chapter before has ended; of a past that is borrowed while it lives. */
bool window_clocks_go_on(struct window_clocks *, const struct told_run *, const struct local_touches *, const struct window_past *);
void window_clocks_release(struct window_clocks *);

/*
 * A chapter ends that is not over: adds what clocks need of it.  False: that is too much, and it cannot end here.  When all is added, and sorted, what is
 * known is left to the next one, in a past that is all zero.
 */
bool window_clocks_rest(const struct window_clocks *, struct chapter_rest *);
void window_clocks_leave(const struct window_clocks *, const struct chapter_rest *, struct window_past *);

/* What a rank knows when it posts an operation: into `clock`, `width` numbers. */
void window_clocks_at(const struct window_clocks *, struct op_name, uint32_t *clock);

/* The same, borrowed: only the rank's own number may be another one. */
const uint32_t *window_clocks_of_segment(const struct window_clocks *, rank_t, uint32_t segment);

/* Adds that to a clock, and the operation itself. */
void window_clocks_join(const struct window_clocks *, struct op_name, uint32_t *clock);

/* Whether a lock was granted in this run. */
bool window_clocks_grant(const struct window_clocks *, struct op_name request);

/* Adds what comes with a lock; nothing, if it was not granted.  By its request, which is a send to the keeper of the lock. */
void window_clocks_join_lock(const struct window_clocks *, struct op_name request, uint32_t *clock);

/* The receive of a send, or the send of a receive; its rank is RANK_NONE: there is none. */
struct op_name window_clocks_met(const struct window_clocks *, struct op_name);

/* An operation that makes a window, or a fence. */
bool op_is_common_to_ranks(const struct op *);

/* An operation that asks for a lock, or gives it back. */
bool op_asks_for_lock(const struct op *, int ranks);
bool op_gives_lock_back(const struct op *, int ranks);

#endif
