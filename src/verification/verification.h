/*
 * verification -- all runs of a program, and what is to be said of them.
 *
 * The state that the files of this folder share while verify, dist and resume search:
 *
 *   verification.c   one search after the other, and the end
 *   session.h        what is searched, its directory and its journal
 *   backend.h        who runs the ranks
 *   visit.c          each run
 *   sightings.c      what is wrong with it, told once however often it is met
 *   confirmation.c   whether that comes out the same from a fresh start
 *   foresight.h      what could go wrong in other runs
 *   trials.c         and whether it does
 *   result_writer.c  the result directory
 *   tree_growth.c    the tree of decisions
 *   inputs.c         a search for each input that shows something new
 *   second_look.c    loads and stores of the program in windows
 *   conclusion.c     the end of a search
 *   suggestions.c    and what to try next, if it was cut short
 *   assumptions.c    what the verdict takes for granted
 *   last_words.c     what ranks that failed said last
 *   call_stacks.c    the stacks of what is shown
 *   announcements.c  what is said of it
 */
#ifndef VERIFICATION_VERIFICATION_H
#define VERIFICATION_VERIFICATION_H

#include "check/check.h"
#include "check/reliance.h"
#include "diagnosis/decision_tree_maker.h"
#include "diagnosis/run_view.h"
#include "options/argument_lines.h"
#include "verification/backend.h"
#include "verification/flaws.h"
#include "verification/foresight.h"
#include "verification/progress.h"
#include "verification/session.h"

/* Where a finding was met. */
struct first_sighting {
    uint32_t step;     /* the end of its run, for explore_turning; 0: nowhere */
    uint64_t last_run; /* the last in which it was */
    bool foreseen;     /* and tried; the search itself has not come to it */
};

/* A run that is to be looked at once more. */
struct looked_run {
    uint32_t step; /* of its end; 0: it was not visited as a whole */
    enum run_end end;
    bool any_end; /* how it ends is not known */
    size_t decisions, places; /* known when the search is over, as those of its account; owned */
    struct decision *decision;
    uint64_t *place;
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
    struct window_remarks remarks; /* of a real job, for `check` */
    struct local_touches touches;  /* of programs that tell of their loads and stores, for `check` */
    bool told_touches;       /* and they did so in all runs, so that no second look is needed */
    uint64_t orders;  /* ways through known states on which accesses to windows and files were compared; */
    bool all_orders;  /* these, and the runs, are all that there are */
    struct flaws flaws;      /* of the runs of this search */
    struct reliances reliances;    /* what the runs that go wrong rely on */
    VEC(struct first_sighting) sightings; /* by finding */
    struct foresight foresight;
    uint32_t now;            /* the worst finding of the run that is being visited; NOT_TOLD: none */
    VEC(struct tree_end) ended; /* runs with findings, since the search last began anew */
    uint32_t times_anew;     /* how often the search had begun anew when `ended` was begun */
    decision_trees_t trees;  /* by search: what was decided on the way to all runs */
    double tree_due;         /* when it is to be written as it is then, in case that tourney is killed */
    struct {
        VEC(struct looked_run) runs; /* that are to be looked at once more (second_look.c) */
        struct map nodes;    /* histories of ranks in such runs */
        uint32_t times_anew; /* how often the search had begun anew then */
        int slow;            /* while one is looked at in which a rank is: 1 + that rank */
    } looks;
    struct run_view run;     /* the one that is being visited */
    struct symbols *symbols; /* owns */
    struct backend backend;
    uint64_t bad_runs, last_bad;
    argument_lines_t
        lines; /* owns: the arguments to search with, one line after the other; empty: just those of the command */
    const struct argument_line *line; /* the arguments that are being searched with; NULL: just those of the command */
    struct {
        uint64_t runs, bad_runs, segments, merged;
        uint32_t left;
        size_t findings;
    } before; /* with the lines before */
    uint32_t times_given_up; /* how often the search had given up its runs when one was last visited */
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
    int signal; /* one that came while no search was under way, and asks tourney to end */
    bool suppressed; /* something was found that is not to be told */
};

/* All runs of the program with the arguments that are set; and the same for each of the lines. */
void verification_search(struct verification *);
void verification_search_each_line(struct verification *);
void verification_search_line(struct verification *, size_t number); /* one of them */

/* The same for each input that shows something new. */
void verification_search_inputs(struct verification *);

/* After all searches: what findings still lack is added, and all is told. */
void verification_finish(struct verification *);
void verification_release(struct verification *);

/* The result, with nothing in it, of the program in the options. */
void verification_begin_result(struct verification *);
void verification_note_mpi(struct verification *); /* the library that ranks have loaded */

/* What every search like this takes for granted; and after the search, what was assumed of polls, and who was not copied. */
void verification_assume(struct verification *);
void verification_assume_nodes(struct verification *); /* on which ranks are now */
void verification_assume_polls(struct verification *, const struct explore_result *);
void verification_assume_copies(struct verification *);
void verification_assume_faults(struct verification *); /* at how many places calls have failed */

/* Writes the result as it is; that it cannot is said once. */
void verification_save(struct verification *);

/* The same before the search: dies if that is impossible, unless the disk is just full. */
void verification_save_first(struct verification *);

/* What is complete so far, for the result. */
void verification_note_complete(struct verification *);

/* What to try next, if the search was cut short: no more than what helps. */
void verification_suggest(struct verification *, const struct explore_result *);

/* The tree of decisions so far, if it is time to; before anything is asked of the run that is being visited. */
void verification_save_tree(struct verification *);

/* The same when the search is over. */
void verification_keep_tree(struct verification *);

/* What is wrong with how the run ended that is being visited; whether any of it is an error. */
bool verification_look_at_end(struct verification *);

/* Something is wrong with that run otherwise, or with the account; whether it is an error. */
bool verification_look_at_defect(struct verification *, const struct defect *);

/* The same when the run is looked at once more: what was known vaguely is known better now. */
bool verification_look_closer(struct verification *, const struct defect *);

/* What ranks have complained of since it was last looked at. */
void verification_look_at_complaints(struct verification *);

/* The search may have given up all runs that were visited so far (explore_times_given_up): they are not counted, and what was found in them will be met again. */
void verification_heed_given_up_runs(struct verification *);

/* For explore_run. */
enum visit verification_visit(void *verification, const struct run *);

/* Whether the ranks that matter for what is wrong with the visited run do the same when they are started anew. */
enum anew verification_confirm(struct verification *);

/* Asks about the run that waits and, if a deadlock is foreseen that is not known yet, tries it. */
void verification_foresee(struct verification *);

/* After the visit of a run, of which nothing is needed any more; whether a deadlock came about that was foreseen. */
bool verification_look_ahead(struct verification *);

/* A run that is visited, or a way through states that were, may be worth to be looked at once more. */
void verification_note_look(struct verification *, const struct run *);
void verification_note_way(struct verification *, const struct account *);

/* The search is over: keeps how these runs came about.  And when nothing of it is left: what the program itself loads and
   stores in windows, in such runs. */
void verification_prepare_looks(struct verification *);
void verification_look_twice(struct verification *);
/* Says where loads and stores were not looked at, in the account of this view. */
void verification_assume_unseen(struct verification *, struct run_view);
/* Says that who may have loaded what another has stored was taken to have waited for it. */
void verification_assume_news(struct verification *);
void verification_forget_looks(struct verification *);

/* What a rerun has to know: numbers of ranks that others start, and files that were made. */
void verification_note_for_reruns(struct verification *);

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

/* Deadlocks that --engine=paths has found come about in ranks that nobody follows, or there is a bug in tourney. */
void verification_confirm_paths(const struct verification *);

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
