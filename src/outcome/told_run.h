/*
 * told_run -- a run as an account, with who can look up what the account names.
 *
 * The search tells runs this way (explore/explore.h), and so does the one run of a play (play/chronicle.h): checks that
 * compare what ranks did need not know which of the two it was.
 */
#ifndef OUTCOME_TOLD_RUN_H
#define OUTCOME_TOLD_RUN_H

#include "outcome/account.h"

/* Borrowed, with all that it leads to, until its teller goes on. */
struct told_run {
    const struct account *account;
    int ranks;
    bool windows, files; /* there may be accesses to windows in it; and to files */
    int players; /* ranks, and behind them the keepers of windows: so many trails has the account */
    struct history (*history)(const void *data, node_id);
    const struct op *const *const *op; /* by rank and number: its operations, of which equal remarks may be one; NULL: `history` has them */
    const char *(*context_name)(void *data, rank_t, context_t); /* NULL: it has none */
    void *data;
};

#endif
