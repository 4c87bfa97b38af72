/*
 * story -- what happened in one run of a scenario, and what had to happen before what.
 *
 * The search tells a run by its decisions: all orders of events that come to the same
 * are one run.  The story is what these orders have in common.  Events are: an
 * operation is posted (starts), a pair meets, an operation completes, a call returns.
 * Each M rule is a set of pairs "this one first":
 *
 *   program order   a rank's calls start one after the other, a blocking one returns first
 *   M4              a pair meets after both ends have started,
 *   M2, M3          and after earlier ends that fit have met or were withdrawn
 *   M6, M5          a receive or synchronous send completes after it has met somebody and, if that
 *                   was a matched probe, after mrecv has started; a collective when those it needs
 *                   have started; a buffered send at any time
 *   M6, M8          a call returns after what it reports has completed; when a completed
 *                   operation is seen to be so is open, so completing is an event of its own
 *   probe           the message has started, is not taken yet, and no receive was in the way
 *   cancel          comes before or after the pair meets, as was decided; of a buffered send, if it
 *                   fails, at any time
 *
 * These are all: every order that keeps to them is one of the run's.
 */
#ifndef SCENARIO_STORY_H
#define SCENARIO_STORY_H

#include "explore/explore.h"
#include "scenario/scenario.h"

typedef uint32_t moment; /* an event; 0: it does not happen */

enum moment_kind { MOMENT_START, MOMENT_MATCH, MOMENT_COMPLETE, MOMENT_RETURN };

struct story_moment {
    enum moment_kind kind;
    uint32_t op;         /* in `op`; a match: the receive */
    VEC(moment) after;   /* owns; what can only happen after this */
};

struct story_op {
    rank_t rank;
    uint32_t number;     /* in the history of its rank */
    const struct op *op; /* borrows, as all of these */
    const struct statement *statement; /* NULL: none */
    moment start, match, complete, ret;
    moment received;     /* of a matched probe: when the message that it took was */
    uint32_t with;       /* the other end, + 1; 0: none */
    bool withdrawn;
    moment cancelled;    /* when */
    const struct ret *answer; /* of a call that returned; NULL: it did not, or said no */
    bool said_no;
    uint32_t request_of; /* the call that reported it, + 1; 0: none */
};

struct story {
    const struct scenario *scenario;
    const struct account *account;   /* borrows: nobody may ask the search for another before the story is released */
    VEC(struct story_op) op;
    VEC(struct story_moment) moment; /* from 1 */
    VEC(uint32_t) first;             /* by rank: its first operation in `op`; one more at the end */
};

/* During the visit of the run. */
void story_begin(struct story *, const struct scenario *, struct explorer *, const struct run *);
void story_release(struct story *);

/* When an event of a claim happens; 0: never. */
moment story_find(const struct story *, const struct scenario_event *);

/* Whether an operation of the one statement met one of the other. */
bool story_met(const struct story *, const struct expr *matches);

/* What can only happen after this: a flag for every moment, set to 1. */
void story_mark_after(const struct story *, moment, uint8_t *marks);

#endif
