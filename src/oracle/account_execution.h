/*
 * account_execution -- a run of the search as prediction wants it: an execution.
 */
#ifndef ORACLE_ACCOUNT_EXECUTION_H
#define ORACLE_ACCOUNT_EXECUTION_H

#include "explore/explore.h"
#include "predict/execution.h"

/* Owned by the caller; the explorer is not needed any more. */
void execution_of_account(struct execution *, const struct explorer *, const struct account *, int ranks);

/*
 * What prediction takes as it was, though other runs could do otherwise: polls, cancels.
 * (program.h; the search itself knows better.)
 */
bool execution_has_guesses(const struct execution *);

/* The same, or calls that returned one of several things: a waitany, a probe of any source. */
bool execution_has_answers(const struct execution *);

/* The first operation of a rank, in the order of the run, that is not that of the execution. */
struct departure {
    struct op_name name;
    const struct op *was; /* in the execution; NULL: it had no more */
    const struct op *is;  /* now */
};
bool execution_was_left(const struct execution *, const struct explorer *, const struct account *, struct departure *);

#endif
