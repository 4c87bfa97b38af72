/*
 * verification -- what the search of verify and resume remembers.  Private to those commands:
 *
 *   verify.c     the commands; one search after the other
 *   visited.c    each run
 *   met.c        what is wrong with it
 *   confirmed.c  whether that comes out the same from a fresh start
 *   foreseen.c   what could go wrong in others
 *   saved.c      the result directory
 *   grown.c      the tree of decisions
 *   concluded.c  the end of a search
 *   heard.c      the last words of ranks that failed
 *   stacked.c    the stacks of what is shown
 *   told.c       what is said of it
 */
#ifndef COMMAND_VERIFICATION_H
#define COMMAND_VERIFICATION_H

#include "check/check.h"
#include "check/reliance.h"
#include "command/backend.h"
#include "command/each.h"
#include "command/flaws.h"
#include "command/foresight.h"
#include "command/progress.h"
#include "command/session.h"
#include "report/explored.h"
#include "report/fault.h"
#include "report/shown_tree.h"

/* Where a finding was met. */
struct met {
    uint32_t step;     /* the end of its run, for explore_turning; 0: nowhere */
    uint64_t last_run; /* the last in which it was */
    bool foreseen;     /* and tried; the search itself has not come to it */
};

enum { NOT_TOLD = UINT32_MAX };

struct verification {
    struct session session;
    struct run_options options; /* of the session */
    struct result result;
    char *path;              /* owns: of the program */
    struct progress progress;
    double saved;            /* when the result was last written */
    bool unsaved;            /* it could not be, and that was said */
    bool was_unsaved;        /* so it was, at some time */
    bool unprinted;          /* what was found could not all be printed */
    struct map known;        /* keys of faults and defects -> index of the finding, or NOT_TOLD */
    struct check check;
    struct flaws flaws;      /* of the runs of this search */
    struct relied relied;    /* what the runs that go wrong rely on */
    VEC(struct met) met;     /* by finding */
    struct foresight foresight;
    uint32_t now;            /* the worst finding of the run that is being visited; NOT_TOLD: none */
    VEC(struct shown_end) ended; /* runs with findings, since the search last began anew */
    uint32_t times_anew;     /* how often the search had begun anew when `ended` was begun */
    shown_trees_t trees;     /* by search: what was decided on the way to all runs */
    double tree_due;         /* when it is to be written as it is then, in case that tourney is killed */
    struct explored run;     /* the one that is being visited */
    struct symbols *symbols; /* owns */
    struct backend backend;
    uint64_t bad_runs, last_bad;
    const struct each_line *line; /* the arguments that are being searched with; NULL: just those of the command */
    struct {
        uint64_t runs, bad_runs, segments, merged;
        uint32_t left;
    } before; /* with the lines before */
    size_t complaints;       /* how many complaints of ranks were looked at */
    uint64_t complaint_errors; /* how many findings with the severity of an error they gave */
    bool refused; /* a call that is not supported, or no MPI program: nothing can be said */
    bool diverged; /* a rank did not do the same twice: no run can be trusted */
    bool unseen;  /* a call was made of which nobody can say what it decided */
    bool is_mpi;  /* some rank has called MPI_Init */
    bool knows_mpi; /* of which library */
    bool tried_deadlock; /* the run that was tried last came to one */
    bool is_over; /* the search */
    bool is_searched; /* all searches are over: time that passes now is not theirs */
    bool suppressed; /* something was found that is not to be told */
};

/* The result, with nothing in it, of the program in the options. */
void verification_begin_result(struct verification *);
void verification_note_mpi(struct verification *); /* the library that ranks have loaded */

/* What every search like this takes for granted; and after the search, what was assumed of polls, and who was not copied. */
void verification_assume(struct verification *);
void verification_assume_polls(struct verification *, const struct explore_result *);
void verification_assume_copies(struct verification *);

/* Writes the result as it is; that it cannot is said once. */
void verification_save(struct verification *);

/* The same before the search: dies if that is impossible, unless the disk is just full. */
void verification_save_first(struct verification *);

/* The tree of decisions so far, if it is time to; before anything is asked of the run that is being visited. */
void verification_save_tree(struct verification *);

/* The same when the search is over. */
void verification_keep_tree(struct verification *);

/* Something is wrong with the run that is being visited, or the account; whether that is an error. */
bool verification_look_at_fault(struct verification *, const struct fault *);
bool verification_look_at_defect(struct verification *, const struct defect *);

/* What ranks have complained of since it was last looked at. */
void verification_look_at_complaints(struct verification *);

/* For explore_run. */
enum visit verification_visit(void *verification, const struct run *);

/* Whether the ranks that matter for what is wrong with the visited run do the same when they are started anew. */
enum anew verification_confirm(struct verification *);

/* Asks about the run that waits and, if a deadlock is foreseen that is not known yet, tries it. */
void verification_foresee(struct verification *);

/* After the visit of a run, of which nothing is needed any more; whether a deadlock came about that was foreseen. */
bool verification_look_ahead(struct verification *);

/* The search is over: the result says all that is known.  If time is over meanwhile, that is left in `left`. */
void verification_complete(struct verification *, struct explore_result *);

/* What one run leaves open and prediction settles, if control flow is the same in all runs. */
uint32_t verification_settled(const struct verification *);

/*
 * After all searches: from where the operations were called of the runs that were kept.  Only these, and
 * findings, get to know it; whether anything was added.
 */
bool verification_add_stacks(struct verification *);

/* The same for what ranks that failed wrote last to standard error. */
bool verification_add_last_words(struct verification *);

/* Whether runs of findings can be made once more here, and are worth it: the program is what it was. */
bool verification_can_run_again(const struct verification *);

/* How long that may take, in seconds since the search began. */
double verification_end_of_again(const struct verification *);

/* How far this search has come, and what that is worth. */
void verification_tell_coverage(const struct verification *, const struct explore_result *);

/* After all searches. */
void verification_tell_findings(const struct verification *);

/* If rules are wanted that suppress them. */
void verification_tell_suppressions(const struct verification *);

/* The last words: what could not be written or printed.  Nothing, if all was. */
void verification_tell_losses(struct verification *);

/* SARIF, JUnit and annotations, as far as they are wanted. */
void verification_tell_tools(struct verification *);

#endif
