/*
 * foresight -- prediction beside the search.
 *
 * A run that ended well says what every run with the same control flow can do, so
 * whether one of them deadlocks can be asked at once (src/predict), and the run that
 * is foreseen tried (explore_try): what comes about is found long before the search
 * would have come to it, and what does not is nobody's concern.  The search
 * goes on as if nothing had happened.
 *
 * Asked is about paths that were not met before; where every run is one, ever more
 * seldom.  It depends on the runs alone, not on time: a search that is resumed must ask
 * the same.
 */
#ifndef VERIFICATION_FORESIGHT_H
#define VERIFICATION_FORESIGHT_H

#include "diagnosis/run_view.h"
#include "options/options.h"
#include "oracle/account_execution.h"
#include "oracle/witness.h"

struct foresight {
    const struct run_options *options; /* borrows */
    struct map paths;                  /* that were looked at */
    uint64_t asked;
    bool windows;                      /* there are some, or */
    bool keepers;                      /* a shared file pointer: it does not know their rules, and nothing is asked */
    bool dynamic;                      /* the same of dynamic processes */
    bool waits;                        /* there is an execution to be asked about */
    uint64_t run;                      /* the number of the run whose execution it is */
    struct execution execution;
    bool answered;                     /* the rest is of the question asked last: */
    struct program program;
    struct prediction prediction;
    bool came_about;                   /* a deadlock that was foreseen came about */
    char *why_not;                     /* owns: why it did not come about; NULL: it did, or was not tried */
};

void foresight_init(struct foresight *, const struct run_options *);
void foresight_release(struct foresight *);

/* A run is visited that ended well: it may be asked about.  Quick if not. */
void foresight_look(struct foresight *, struct run_view *);

/* Asks about the execution that waits. */
void foresight_ask(struct foresight *);

/* Whether no run with these calls deadlocks: not, if what some of them returned was taken for granted. */
bool foresight_excludes_deadlock(const struct foresight *);

/* What one run and the answer say together, as part of a sentence to be freed. */
char *foresight_statement(const struct foresight *);

/* Where the ranks are foreseen to be stuck, as a fault. */
struct map_key foresight_key(const struct foresight *);

#endif
