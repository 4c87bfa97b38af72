/*
 * explored -- the end of a run of the search as a final state.
 */
#ifndef REPORT_EXPLORED_H
#define REPORT_EXPLORED_H

#include "drive/drive.h"
#include "explore/explore.h"
#include "outcome/outcome.h"
#include "outcome/final_state.h"

/* One run, during its visit; or, without `run`, an account. */
struct explored {
    struct explorer *explorer; /* borrows, as all of these */
    struct drive *drive; /* NULL: the ranks ran elsewhere, and places are those of `process` */
    int ranks;
    const struct run *run;
    const struct account *account; /* NULL until it is needed: it takes the run's length to make one */
    pid_t process;                 /* in which addresses were last looked up; 0: in none */
};

/* Borrows what it is given.  Without a run it can only describe operations of the account. */
struct final_state explored_final_state(struct explored *);

/* How it ended, as that of a play; to be released. */
struct outcome explored_outcome(const struct explored *);

const struct account *explored_account(struct explored *);

/* The last operation of a rank: the call it is in, or with which it ended; NULL: none.  And its number. */
const struct op *explored_last_op(const struct explored *, rank_t);
int64_t explored_last_number(struct explored *, rank_t);
int64_t explored_number(struct explored *, rank_t, const struct op *); /* of any; -1: not in the account */

#endif
