/*
 * window_races -- accesses to one byte of a window that MPI does not order, as defects (rma-race).
 *
 * All accesses of the run (window_accesses.h) are gone through in an order in which what is before another comes first.  Those that may still
 * be concurrent with one that is to come lie in a tree for the memory of each rank; windows that overlap are one memory (12.2.1, 12.7).
 */
#ifndef CHECK_WINDOW_RACES_H
#define CHECK_WINDOW_RACES_H

#include "check/defect.h"
#include "check/window_accesses.h"
#include "check/window_past.h"
#include "outcome/local_touch.h"
#include "outcome/told_run.h"
#include "outcome/window_remark.h"

/* An access of an earlier chapter with which one that is to come may still race. */
struct past_race_access {
    struct race_access access; /* its operations are copies, which it owns */
    context_t context;         /* of the window */
    struct window_piece piece; /* from the base of the window */
    uint32_t clock;            /* in the past */
};

/* Chapters that have ended and are not over. */
struct past_races {
    bool any;
    struct window_past clocks;
    VEC(struct past_race_access) access;
};

/* All zero at first. */
struct window_races {
    const struct window_remarks *remarks; /* borrows; NULL: what ranks do with windows is among their operations */
    /* Operations that were made up to tell of loads and stores: */
    VEC(struct op *) told; /* owns; until the next run */
    struct past_races past, older; /* of the chapters before; and what that was before, of which defects may tell until the next run */
    bool given_up;         /* of all runs: an atomic access could have overtaken one of its rank to the same place, and was not tried to (CONFLICT_GIVEN_UP) */
    bool commuting;        /* of all runs: the same of two that commute (CONFLICT_COMMUTING), */
    bool between;          /* and there are accesses that see in which order such two happened, if they come between them */
    bool by_news;          /* of all runs: a rank was taken to have learned from what it may have loaded (W14) */
    bool open;             /* of the last run: some access is not known to be over, so what follows could race with it */
};

/*
 * Those of one run; `touches` may be NULL.  False: the run could not be followed, and nothing is known.
 */
bool window_races_add(struct window_races *, const struct told_run *, const struct local_touches *, defects_t *);

/*
 * Those of a chapter of one run, with what is still remembered of the chapters before; whether it may end.  It may if all is over; then there is nothing to remember.
 * Else it may if `rest`, which already has operations that are pending, can be told again; NULL: it may not.
 */
enum chapter_end window_races_add_chapter(struct window_races *, const struct told_run *, const struct local_touches *,
                                          struct chapter_rest *rest, defects_t *);
void window_races_forget(struct window_races *); /* the chapters before */
void window_races_release(struct window_races *);

#endif
