/*
 * explore -- every run of a program, each exactly once.
 *
 * A run is its decisions: which send each wildcard receive took, which requests
 * or messages a call returned where MPI leaves that open, and whether a poll
 * said yes.  The search visits every consistent set of decisions once and tells
 * the visitor of each run's end.  What is a decision, and when two runs are one,
 * stands in doc/semantics.md and, for polls, at the head of spin.h.
 */
#ifndef EXPLORE_EXPLORE_H
#define EXPLORE_EXPLORE_H

#include "explore/runner.h"
#include "outcome/account.h"
#include "outcome/completeness.h"
#include "outcome/dispute.h"
#include "outcome/run.h"
#include "outcome/told_run.h"
#include "sem/agree.h"

struct explorer;
struct reduction;

/* The last segment of a history. */
struct history explore_history(const struct explorer *, node_id);

/* A sum of the calls in a history, contents aside: of the first, if several lead to the same node. */
uint64_t explore_flow(const struct explorer *, node_id);

/*
 * All histories that were met, as they hang together; after the search.  Nodes count
 * from 1 to explore_nodes.  Each stands for one answer to `from` (NODE_NONE: the
 * beginning of its rank), after which the rank is at `to`: itself, or an earlier node with the
 * same image; then it is nothing else.
 */
struct passage {
    node_id from, to;
    const struct ret *ret;
};
node_id explore_nodes(const struct explorer *);
struct passage explore_passage(const struct explorer *, node_id);

/* The polls among which a history goes round (spin.h): the first of them, and how many; NODE_NONE: it does not. */
node_id explore_round(const struct explorer *, node_id, uint32_t *period);

/*
 * A loop of polls that was followed (spin.h) and did not come back to where it was: after so many times no the rank
 * does something else, or goes round and changes nothing any more, or something still.  After the search: the next one behind a node, NODE_NONE at first.
 */
struct polled {
    node_id head;
    uint32_t op; /* the first of the polls, by number (explore_op) */
    uint32_t noes;
    bool gives_up, settles;
    uint32_t states; /* in which it could be told yes, as far as another one is not like them, */
    uint32_t tried;  /* and of these, those in which that was tried in later rounds (later_rounds.c); all that can follow then was looked at if */
    bool whole;      /* it was everywhere */
};
bool explore_next_polled(const struct explorer *, node_id behind, struct polled *);

/* Ranks, and behind them the keepers of windows that were found so far: so many trails has an account. */
int explore_players(const struct explorer *);

/* M7, as it was given to explore_new. */
uint64_t explore_slack_of(const struct explorer *);

/* Whether any rank has made one so far. */
bool explore_has_ready_sends(const struct explorer *);
/* The same of buffered sends that have room in the attached buffer only if earlier ones have left it. */
bool explore_has_overfull_buffers(const struct explorer *);
/* Whether some rank has started others, or met others at a port (call/dynamic.h). */
bool explore_has_dynamic_processes(const struct explorer *);
/* Of windows that a rank has without asking, or exposes although some are locked (check/tenures.h). */
bool explore_has_tenures(const struct explorer *);

/* Windows that ranks have made, which are not all that keepers are for; and accesses to files. */
bool explore_has_windows(const struct explorer *);
bool explore_has_file_accesses(const struct explorer *);
/* And of waits for persistent requests that were never started before. */
bool explore_has_unstarted_requests(const struct explorer *);

/* An operation that told of this signature; NULL: none. */
const struct op *explore_type(const struct explorer *, uint64_t signature);

/* The operation behind `user` of the semantics, and whose it is. */
const struct op *explore_op(const struct explorer *, uint32_t user, rank_t *);

/*
 * What ranks complained of (OP_COMPLAINT) in all segments met so far, in that order:
 * each once, however many runs it is part of.  During visits and after the search.
 */
size_t explore_complaints(const struct explorer *);
const struct op *explore_complaint(const struct explorer *, size_t, rank_t *);

/* Each pair is told once. */
size_t explore_disputes(const struct explorer *, const struct dispute **);

/* From now on `made` is about this run, which is not one with a slack deadlock.  During its visit; not quick. */
void explore_settle_disputes(struct explorer *, const struct run *);

/* How that state came about and, if it is `open`, that they meet.  As explore_account; after the search. */
const struct account *explore_dispute_account(struct explorer *, const struct dispute *);

/* The beginning of all runs, as an account.  As explore_account; after the search. */
const struct account *explore_first_account(struct explorer *);

/* The same of a run that ended well, by its number among these; NULL: there are fewer. */
const struct account *explore_good_account(struct explorer *, size_t);

/* How a step came about, its decisions only; NULL: there is none of that number.  After the search. */
const struct account *explore_step_account(struct explorer *, uint32_t step);

/* Put together when it is asked for, during the visit; borrowed until the next time. */
const struct account *explore_account(struct explorer *, const struct run *);

/* An account of this explorer, for those who need not know that there is one.  Borrows both. */
struct told_run explore_told_run(struct explorer *, const struct account *);

/* An operation of a trail, by its number; NULL: it is not so long. */
const struct op *explore_nth_op(const struct explorer *, const struct trail *, uint32_t number);

/*
 * What a rank did last in the account that was put together last to give a type (OP_TYPE) or a communicator
 * (OP_CONTEXT_NAME) of this number its name; NULL: nothing.
 */
const struct op *explore_naming(struct explorer *, rank_t, enum op_kind, uint64_t number);

/*
 * What the search has learned of windows, by slot (call/window.h).  Where no lock is exclusive, in which order they are granted is no
 * choice; nor is the order of atomic accesses, where all of them commute.
 */
struct window_lessons {
    uint32_t slots;     /* in which windows were made */
    uint32_t exclusive; /* a set of slots (window_share): exclusive locks were wanted */
    uint32_t ordered;   /* the same: accesses were made that do not commute */
};

struct explore_options {
    int ranks;
    int spawnable;     /* of these, the last so many may be started by others (call/dynamic.h), or are the registry */
    uint64_t slack;    /* M7, as for sem_new */
    bool any_slack;    /* with infinite slack: deadlocks under less are looked for on the way of every run */
    bool
        every_slack_deadlock; /* with any_slack: all such deadlocks are told, not one at least for each cause: for tests */
    bool ask_slack_always; /* with any_slack: in every state, whether less slack is safe (slack_safety.h), not only where it pays: for tests */
    bool merge;        /* histories with the same image are one */
    bool heed_past;    /* with merge: not if what ranks knew of each other, which is in no image, matters to a check */
    bool scout;        /* a long first run is made ahead and told as soon as it ends, see struct run */
    bool later_rounds; /* polls that change something are told yes in some later rounds, too (later_rounds.c); not of use without images, which tell who they are */
    uint64_t max_runs; /* 0: no bound */
    double seconds;    /* 0: no bound */
    uint32_t mixing;   /* bounded: how often a run may decide otherwise than by the first choice (agenda.h); 0: no bound */
    uint32_t lateness; /* bounded: how often polls may be late in a run (agenda.h), and one more; 0: no bound */
    uint32_t departures; /* bounded: how often a run may depart from what the search would decide (deepening.c), and one more; 0: no bound */
    uint64_t deepen_after; /* work (search_work) after which a search is gone on with in the order of costs; 0: enough
                              for most searches to end before */
    uint64_t samples;  /* so many runs, each decided at random; 0: all runs */
    uint64_t seed;     /* for them, and for the random runs of a search that deepens */
    uint32_t jobs;     /* segments that may be run at one time; 0: one */
    uint32_t rounds;   /* how often polls go round and each of them is a decision (spin.h); 0: 16 */
    uint32_t ahead;    /* how often those who go round are told no to see whether they give up; 0: 4096 */
    uint32_t patience; /* how often they are told no before they are called stuck; 0: 16384 */
    struct window_lessons windows; /* for a replay: as in struct explore_result; else nothing: they are learned */
    size_t places;     /* for a replay: those of struct account; else 0 */
    const uint64_t *place;
    const struct reduction *reduction; /* reduction.h; NULL: the one that is best */
    bool stepwise;     /* the same, and everything is a step of its own (state.h); with any_slack each choice of slack, too */
};

enum {
    LEFT_RUNS = 1,    /* max_runs was reached */
    LEFT_TIME = 2,    /* the time was over */
    LEFT_STOPPED = 4, /* the visitor did not want more */
    LEFT_RUNNER = 8,  /* the runner failed, or somebody wants an end (base/deadline.h) */
    LEFT_SETS = 16,   /* a Waitsome had too many complete requests: not every set was tried */
    LEFT_SLACK = 32,  /* a run can be held up in too many ways: not every choice of slack was tried */
    LEFT_MIXING = 64, /* by the bound on mixing */
    LEFT_REGIONS = 128, /* in regions marked with MPI_Pcontrol(0), one choice only was tried */
    LEFT_SAMPLED = 256, /* runs were taken at random */
    LEFT_UNKNOWN = 512, /* runs whose end the runner could not find out */
    LEFT_LATE = 1024, /* by the bound on late polls */
    LEFT_WINDOWS = 2048, /* with less slack, ranks that spin on a window could not be followed to the end of a run (slack_deadlocks.h) */
    LEFT_STOPS = LEFT_RUNS | LEFT_TIME | LEFT_STOPPED | LEFT_RUNNER, /* the search was ended by these */
};

struct explore_result {
    uint64_t runs;     /* visited, each a distinct set of decisions, since their numbers last began anew */
    double stood_for;  /* how many there are, those that merging spared included; HUGE_VAL: without end */
    bool at_most;      /* fewer, perhaps: orders that come to the same were counted, too */
    double estimate;   /* of a sample: of how many */
    uint64_t by_end[RUN_ENDS];
    uint64_t states;   /* at rest, visited since the search last began */
    uint64_t steps;    /* decisions tried, also those that led to states visited before */
    uint64_t segments; /* asked of the runner */
    uint64_t merged;   /* of these, those that led to a history with the same image */
    uint64_t likened;  /* histories of a run made ahead that turned out to have the image of earlier ones */
    uint64_t again;    /* states expanded again because an assumption was refuted */
    uint64_t whole;    /* states where everything eligible had to be branched over */
    uint32_t anew;     /* how often the search began anew (state.h, Cancel), */
    uint32_t given_up; /* and how often of these the runs were given up, too (explore_times_given_up) */
    uint64_t slack_deadlocks; /* deadlocks told that need less slack */
    uint64_t questioned; /* states that were looked at to find out whether less slack is a deadlock, where that kept states apart */
    uint64_t unfollowed; /* states from which no slack is a deadlock, as was found out on the way (slack_safety.h) */
    uint32_t spins;    /* histories from which polls are taken to go on for ever, without proof (explore_next_polled) */
    uint64_t strays;   /* runs decided at random between the others */
    uint64_t retraced; /* decisions made again in memory: to come back to states, and on random runs where nothing is new */
    struct window_lessons windows;
    bool dynamic; /* some rank has started others, or met others at a port (call/dynamic.h) */
    uint32_t left;     /* LEFT_*; 0: everything was visited */
    struct completeness complete;
};

/*
 * What the visitor thinks of a run.  One that ended with flaws may be better than one
 * that did not end: from VISIT_FLAWED on, numbers are the visitor's own.
 */
enum visit { VISIT_GOOD, VISIT_BAD, VISIT_STOP, VISIT_FLAWED };
typedef enum visit visit_fn(void *, const struct run *);

struct explorer *explore_new(const struct runner *, const struct explore_options *);
struct explore_result explore_run(struct explorer *, visit_fn *, void *);

/* What it has learned of windows so far. */
struct window_lessons explore_windows(const struct explorer *);

/* Whether it has learned something, maybe while a run is visited, and will begin anew: by what is known now, the decisions of the run may not lead anywhere. */
bool explore_will_begin_anew(const struct explorer *);

/* How often it has begun anew so far (state.h, Cancel): steps that were told before mean nothing any more. */
uint32_t explore_times_anew(const struct explorer *);

/*
 * How often of these the runs that were told before are none of the search's: they were of states without some of the keepers of windows, all of them are
 * met again, as others, and their numbers begin with 1.
 */
uint32_t explore_times_given_up(const struct explorer *);

/* Whether polls can be late, as far as was seen.  After the search. */
bool explore_has_late_polls(const struct explorer *);

/* What is complete so far, if nothing was left out on the way for other reasons.  During a visit. */
struct completeness explore_complete_so_far(const struct explorer *);

/* How much of the search is behind it, from 0 to 1: a guess, by the branches that are open.  During a visit. */
double explore_progress(const struct explorer *);

/*
 * Where a bad run could last have ended well: after the search.  False: none that
 * began like it did.
 */
struct turning {
    size_t critical;              /* its decision after which it could not */
    const struct account *instead; /* the nearest good run, which differs from there on */
};
bool explore_turning(struct explorer *, uint32_t step, struct turning *);

/* Which runs are good for that from now on, by what the visitor thought of them; at first, VISIT_GOOD. */
void explore_aim_at(struct explorer *, const bool *good, size_t opinions);

/*
 * What a run depends on that MPI may do and need not, by number of the operation (explore_op); 0: it
 * could be as well without.  During its visit.
 */
struct reliance {
    uint32_t early;   /* a collective lets a rank go before all have come */
    uint32_t refusal; /* a poll says no though it could say yes */
};
struct reliance explore_reliance(struct explorer *, const struct run *);

/* How a run is made once more. */
struct replay_manner {
    bool silent;  /* complaints are not counted: ranks may see more, or less, than they did when the decisions were made */
    bool endless; /* the run had no end: if it cannot be told, where the decisions are made, whether it has one, it has none */
    /*
     * A rank goes on only when no other can.  Once a window or its lock has taken something of it, and it was brought what others have changed, it does not go on either as long as the next
     * decision can be made; `ahead`: or one behind it, which is then made first.
     */
    bool has_slow;
    rank_t slow;
    bool ahead;
};

/*
 * In a new explorer with the places of the run, in place of a search: these decisions in
 * this order, then the first of what is open until the end, which the visitor is
 * told of.  -1: a decision cannot be made, or the runner failed.  Several runs with the same
 * places can be made one after the other; one that ends where an earlier did is not told.
 */
int explore_replay(struct explorer *, struct replay_manner, size_t n, const struct decision *, visit_fn *, void *)
    __attribute__((warn_unused_result));

/* A decision of the account that was told last, as it is for a replay that does not count complaints. */
struct decision explore_silent_decision(const struct explorer *, struct decision);

/*
 * The same for a run that is held up on the way, with infinite slack as the option:
 * these decisions, and of the calls that MPI may hold up, these operations return.
 * -1 also if it is not held up.
 */
struct held_run {
    size_t decisions, buffered;
    const struct decision *decision;
    const struct op_name *buffered_op;
    bool mixed; /* as it was found (struct run) */
};
int explore_replay_held(struct explorer *, const struct held_run *, visit_fn *, void *)
    __attribute__((warn_unused_result));

/*
 * One run beside the search, in its trees: during a visit other than that of a slack deadlock, of
 * which nothing may be used afterwards, or after the search.  The decisions are made in
 * any order, as soon as each can be, and one that never comes up is no matter.
 * `buffered` as above; no `unbuffered`: with the slack of the search.  It is told where
 * nothing more can happen, with step 0, and is not counted.  -1: somebody stands before
 * a decision that is not among these and it is not to go `on` by the first of what is
 * open, or the runner failed.
 */
struct tried_run {
    struct held_run run;
    bool on;
    size_t unbuffered; /* for the account: what holds it up */
    const struct op_name *unbuffered_op;
};
int explore_try(struct explorer *, const struct tried_run *, visit_fn *, void *) __attribute__((warn_unused_result));

/* How a replay went, or how far it came; borrowed until the explorer is freed. */
const struct account *explore_replayed(const struct explorer *);
void explore_free(struct explorer *);

#endif
