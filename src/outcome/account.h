/*
 * account -- how a run came about: what was decided in it, what each rank did, and what met what.
 *
 * Plain data about one run.  The search puts it together when it is asked for (explore/explore.h); replays,
 * checks, predictions and findings read it.  Nodes are looked up by whoever made the account.
 */
#ifndef OUTCOME_ACCOUNT_H
#define OUTCOME_ACCOUNT_H

#include "outcome/decision.h"
#include "outcome/history.h"

/* What one rank did, segment by segment. */
struct trail {
    size_t n;
    const node_id *node;
    const struct ret *const *ret; /* what led to each; NULL: the beginning, or a poll said no */
    uint32_t posted;              /* of the last segment: a rank can stand in the middle of it */
    const uint32_t *until;        /* how many operations there are up to the end of each */
};

/* How a run came about. */
struct account {
    size_t decisions;
    const struct decision *decision; /* in an order in which they can be made */
    const struct trail *trail;       /* by rank */
    size_t places;                   /* to be given to explore_new for a replay: */
    const uint64_t *place;           /* calls whose operations may be cancelled */
    /* With any slack: it needs these sends to be buffered and, if less slack is a deadlock, these not; or collectives to
       wait for all. */
    size_t buffered, unbuffered;
    const struct op_name *buffered_op, *unbuffered_op;
    size_t pairings; /* in an order in which they came about; what else was possible stands before what was made */
    const struct pairing *pairing;
    size_t window_pairings; /* the same of what was sent to and by keepers of windows, which is no message of the program: those made */
    const struct pairing *window_pairing;
};

#endif
