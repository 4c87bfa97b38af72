/*
 * run_view -- a run of the search as those see it who say what is the matter with it.
 *
 * The search is asked here for what is neither in the run nor in its account, so that those who read runs need not
 * know it.
 */
#ifndef DIAGNOSIS_RUN_VIEW_H
#define DIAGNOSIS_RUN_VIEW_H

#include "outcome/account.h"
#include "outcome/final_state.h"
#include "outcome/outcome.h"
#include "outcome/run.h"

struct explorer;
struct drive;

/* One run, during its visit; or, without `run`, an account. */
struct run_view {
    struct explorer *explorer; /* borrows, as all of these */
    struct drive *drive;       /* NULL: the ranks ran elsewhere, and places are those of `process` */
    int ranks;
    const struct run *run;
    const struct account *account; /* NULL until it is needed: it takes the run's length to make one */
    pid_t process;                 /* in which addresses were last looked up; 0: in none */
};

/* Borrows what it is given.  Without a run it can only describe operations of the account. */
struct final_state run_view_final_state(struct run_view *);

/* How it ended, as that of a play; to be released. */
struct outcome run_view_outcome(const struct run_view *);

const struct account *run_view_account(struct run_view *);

/* The last segment of a history; and an operation of a trail, by its number, NULL: it is not so long. */
struct history run_view_history(const struct run_view *, node_id);
const struct op *run_view_nth_op(const struct run_view *, const struct trail *, uint32_t number);

/* The last operation of a rank: the call it is in, or with which it ended; NULL: none.  And its number. */
const struct op *run_view_last_op(const struct run_view *, rank_t);
int64_t run_view_last_number(struct run_view *, rank_t);
/* Whether it is a rank that nobody has started in the run, or the registry (call/dynamic.h). */
bool run_view_is_unborn(const struct run_view *, rank_t);
/* Ranks that others start may run another program: places of those with the same number here are looked up together. */
uint64_t run_view_program(struct run_view *, rank_t);
int64_t run_view_number(struct run_view *, rank_t, const struct op *); /* of any; -1: not in the account */

#endif
