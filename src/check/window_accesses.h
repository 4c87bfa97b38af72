/*
 * window_accesses -- the accesses to windows in a run, and how long each of them lives.
 *
 * An access begins with its call and is over when it is complete at its target, both in the time of its origin (12.3): by MPI_Win_flush or
 * unlock (12.5.3, 12.5.4), by MPI_Win_fence (12.5.1), or by MPI_Win_complete and the MPI_Win_wait of its target that follows (12.5.2); a get also when
 * its result is there.  Another access comes after it if it knows of that (window_clocks.h); before its epoch has begun at the target,
 * nothing happens there, so it knows what that has brought: who held the lock before, what the target did up to its post or fence.
 *
 * Stores of a rank to its own window are accesses, too.  Of those that were found as a difference it is only known that they were made
 * since the memory was last looked at.  So such a store is taken to know all that its rank knows at the end of that time, and to be known to all who know
 * anything from its beginning on: whatever is concurrent with it then is so wherever it was.
 */
#ifndef CHECK_WINDOW_ACCESSES_H
#define CHECK_WINDOW_ACCESSES_H

#include "check/window_clocks.h"
#include "outcome/local_touch.h"

/* A window of the run. */
struct raced_window {
    context_t context;
    uint32_t slot;
    uint32_t flags;                 /* of struct window_extent */
    struct window_extent *extent;   /* owns; by rank */
    uint64_t *base;                 /* owns; by rank: where its part is taken to begin; those that overlap do so here, too */
    uint32_t *opened;               /* owns; by rank: number of the operation; UINT32_MAX: never */
    bool *overlaps;                 /* owns; by rank: another window lies in the same memory at the same time */
};

enum race_access_kind { RACE_PUT, RACE_GET, RACE_ATOMIC, RACE_STORE, RACE_LOAD };

struct race_access {
    enum race_access_kind kind;
    rank_t origin, owner;
    uint32_t number;              /* of its operation in the origin; of a load or store, the one that it comes before */
    uint32_t window;
    const struct op *op;          /* borrows: OP_ACCESS; NULL: `touch` */
    const struct op *message;     /* borrows: of an atomic one, what it has sent; NULL: not yet */
    uint32_t message_number;      /* of that */
    const struct window_use *use; /* NULL: `touch` */
    const struct local_touch *touch;
    const uint32_t *clock;        /* borrows: what it knows of other ranks when it begins; the number of its own there is of no meaning */
    struct op_name end[2];        /* each of them means that it is over; RANK_NONE: none */

    /* Of loads and stores that are known as such, for what only the unified model gives (12.7). */
    const uint32_t *synced_clock; /* borrows: what the rank knew when it last made its memory see what others had done */
    uint32_t synced;              /* number of that operation */
    bool polls;                   /* a load that is repeated, with nothing but calls that bring news between: MPI allows that (12.7) */
    uint32_t published;           /* of a store: of the operation that made it public; UINT32_MAX: none did */
};

struct window_accesses {
    int ranks;
    int width;                      /* of clocks */
    VEC(struct race_access) access; /* by rank, and then by number */
    VEC(uint64_t) order;            /* by access: rises with what it knows */
    VEC(struct raced_window) window;
    VEC(uint32_t *) block; /* owns; clocks of accesses that know more than their rank, in blocks, */
    size_t left;           /* of which the last has room for so many numbers */
    struct map window_of; /* context -> window */
    bool unbegun;         /* accesses were called whose epoch has not begun at their target: they are not among these */
    struct chapter_rest *rest; /* borrows: where it is noted what has to be told again; NULL: nobody wants to know, */
    bool stays;                /* or the chapter cannot end here */
    VEC(uint32_t) talked;      /* by rank, then: how many operations there were up to the last one that communicates */
    VEC(uint32_t) open;        /* by window, then: how many ranks have it open at the end */
};

/* The clocks are borrowed as long as they live; `touches` may be NULL. */
void window_accesses_begin(struct window_accesses *, const struct window_clocks *, const struct local_touches *);

/* Of a chapter that may end though it is not over: what is needed of it is added.  False: it cannot end here. */
bool window_accesses_rest(struct window_accesses *, const struct window_clocks *, const struct local_touches *, struct chapter_rest *);

/* When all is added, and sorted. */
void window_accesses_leave(const struct window_accesses *, const struct chapter_rest *, struct window_past *);

void window_accesses_release(struct window_accesses *);

/* Whether the first was over before the second began, whatever the speeds. */
bool access_is_before(const struct race_access *first, const struct race_access *second);

/* Whether the second, which reads, is after the first, which writes, but sees it in the unified model alone. */
bool access_needs_unified(const struct race_access *first, const struct race_access *second);

/* The pieces of an access, in bytes from where the memory of windows is taken to begin. */
uint32_t access_pieces(const struct race_access *);
struct window_piece access_piece(const struct window_accesses *, const struct race_access *, uint32_t);

#endif
