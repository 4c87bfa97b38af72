/*
 * window_remark -- what a rank of a real job did with windows, between its operations.
 *
 * These are OP_ACCESS and OP_WINDOW of call/window.h.  In the search they are operations; on a real job the order of locks and atomic accesses is not led, so
 * what a rank does with windows need not be the same in all jobs that come by a history.  Remarks belong to one job, then.
 */
#ifndef OUTCOME_WINDOW_REMARK_H
#define OUTCOME_WINDOW_REMARK_H

#include "call/window.h"
#include "outcome/history.h"

struct account;

struct window_remark {
    uint64_t before;     /* which operation of the rank it comes before, from 0 */
    const struct op *op; /* borrows */
};

/* Those of a rank after one of its histories. */
struct node_remarks {
    const struct window_remark *remark; /* borrows */
    size_t n;
    uint64_t number; /* of the first in the rank's whole tale, from 1 */
    uint64_t first;  /* operation of the history */
};

/*
 * Who knows the remarks of runs.  Borrowed by whoever asks.
 *
 * choose: a job whose ranks did what the account tells, and from now on is asked for; false: there is none.
 * tell: what it tells of a node of that account.
 */
struct window_remarks {
    bool (*choose)(void *data, const struct account *);
    struct node_remarks (*tell)(void *data, node_id);
    void *data;
};

#endif
