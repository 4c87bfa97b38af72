/*
 * search -- what the search remembers.  Private to src/explore.
 */
#ifndef EXPLORE_SEARCH_H
#define EXPLORE_SEARCH_H

#include <time.h>

#include "call/window.h"
#include "explore/agenda.h"
#include "explore/explore.h"
#include "explore/known_states.h"
#include "explore/naming.h"
#include "explore/reduction.h"
#include "explore/seen.h"
#include "explore/slack_deadlocks.h"
#include "explore/slack_safety.h"
#include "explore/waypoints.h"

/* How a state was reached: by taking an option in another one. */
struct step {
    uint32_t from; /* another step, or 0: the beginning */
    struct pick pick;
};

/* Another edge to a state that was visited. */
struct detour {
    uint32_t from, to;
    struct pick pick;
};

/* A state with options to take: a stretch of `pending`. */
struct frame {
    struct state *state; /* owns */
    uint32_t step;
    double share;        /* of the whole search, for each option */
    size_t first, until;
};

/* A state decided at one point only, and why. */
struct assumption {
    uint32_t step;
    bool circle; /* from there it went round, so that what was left for later might be left for ever: it does not hold */
    uint32_t doubts;
    size_t first; /* of `doubts` */
};

/* A step that led to an end, and what the visitor thought of it. */
struct ended {
    uint32_t step, opinion;
};

/* From each state that has a cost, the edges to others: lists, by number of the step or detour. */
struct edges_ahead {
    VEC(uint32_t) first_step, next_step;     /* by step; 0: there is no other */
    VEC(uint32_t) first_detour, next_detour; /* by step, and by detour; one more than its number */
};

/* By state: whether it is an end, and else the first edge towards the nearest one; 0: there is none. */
struct ways_out {
    uint32_t *edge; /* owns; NULL: they are not known */
    bool *is_end;   /* owns */
};

/* Runs that depart from the one that was made ahead (sidesteps.c).  All zero: not begun. */
struct sidesteps {
    bool begun;
    bool ended;              /* the run has come to an end, and may be departed from */
    VEC(struct pick) way;    /* its decisions */
    VEC(struct state *) kept; /* owns; some states on it, the first of them at its beginning */
    struct seen known;       /* by state and by who was decided for last: what follows is known */
    size_t next;             /* the decisions before this one are yet to be tried */
    uint32_t decisions;      /* that could have come out otherwise */
    uint32_t tried;          /* of these, those that were: all runs are known that depart there, */
    uint32_t last;           /* and the last so many */
    bool missed;             /* one was tried in vain */
    size_t places;           /* where operations may be cancelled, when they began, */
    bool merges;             /* and whether histories with the same image are one */
    uint64_t since, work;    /* search_work when they began, and what they have taken */
    VEC(struct pick) tail;   /* scratch: what was decided after the departure */
    VEC(struct map_key) met; /* scratch: the states there */
};

/* A state in which a rank that polls round and round can be told yes. */
struct later_state {
    uint32_t step;
    rank_t rank;
};

/* What was left undone after a run that was made first. */
struct loose_end {
    uint32_t step;
    struct pick pick;
};

/* Yeses in later rounds of polls (later_rounds.c).  All zero: not begun. */
struct later_rounds {
    VEC(struct later_state) state;
    struct map known;           /* a poll of a first round and what it can say -> that there is a state */
    bool on;                    /* they are being tried: */
    bool one_run;               /* one run each, up to its end or a state that is known */
    size_t ended, detours;      /* that there were before */
    uint64_t until;             /* counted work after which no more is done */
    bool whole;                 /* all was done that was to be */
    uint32_t first_step;        /* that came of them */
    VEC(struct loose_end) rest;
    struct menu menu, beside;   /* scratch */
    VEC(node_id) chain;         /* scratch: the polls from the head on */
    VEC(uint32_t) round;        /* scratch: those to be tried */
};

/* Stretches depth first in a search by costs (dives.c). */
struct dives {
    bool on;
    uint64_t retraced; /* decisions on ways to states before it went by costs */
    uint64_t done;     /* work on dives since, */
    uint64_t since;    /* but for the one that is on, which began after so much */
    uint32_t before;   /* errands from here on are taken, or came since */
};

struct explorer {
    struct explore_options options;
    struct game game;
    struct menu menu;
    struct reducer reducer;
    struct known_states known;
    struct map ends;    /* that the visitor was told of: key -> enum visit */
    VEC(struct ended) ended;
    VEC(struct detour) detour; /* these and the steps lie on disk (base/bulk.h) */
    struct ways_out good; /* to the ends that are; graph.c */
    bool *aim;       /* owns; by opinion; NULL: VISIT_GOOD is good */
    size_t aims;
    VEC(struct step) step; /* from 1 */
    VEC(struct frame) frame;
    VEC(struct option) pending;
    VEC(struct assumption) assumed;
    VEC(struct no_send_assumption) doubts;
    VEC(struct map_key) without_debts; /* by step: the state and the tight one beside it, whatever that owes; on disk */
    struct map times_without_debts; /* of such a key: how many steps have it */
    struct map circles;    /* steps from which a decision led back to a state on the way there, and which are expanded again */
    VEC(struct pick) path; /* scratch: the decisions that led somewhere */
    bool deepens;       /* what is to be tried is tried by its cost, up to `level` now (deepening.c) */
    cost_t level;
    bool counts_late, counts_other; /* what makes up a cost, unless */
    bool counts_departures;         /* this alone does for now */
    cost_t other_level;  /* up to which it has come by what is not counted now */
    uint64_t counting_since, counting_for; /* the work after which that was decided, and after how much more it is reconsidered */
    VEC(struct map_key) unowing; /* by step: the state without the tight one beside it; on disk */
    struct step_index stand_ins; /* from these: the step that stands for others (stand_ins.c) */
    bool owes;                   /* some state was put off for another that stands for it */
    struct agenda agenda;
    struct edges_ahead ahead;
    struct waypoints waypoints;
    VEC(struct pick) picks; /* scratch */
    VEC(uint32_t) way;      /* scratch */
    uint64_t begun_at;  /* what work was done when it last began anew */
    uint64_t turned_at; /* and when it began to deepen */
    uint64_t strayed;   /* and since then, on runs at random */
    uint64_t segments_seen, known_since; /* run_beside.c: when it looked last, and after how many steps nothing was run any more */
    double covered;
    uint64_t random;
    node_id *nodes;
    const struct op **calls;
    struct seen slack_deadlocks; /* deadlocks with less slack that were told */
    struct seen harmless;  /* points from which less slack is no deadlock */
    struct slack_safety slack_safety;
    struct seen held_up;   /* ends on the way to which such deadlocks were looked for */
    struct trails trails;
    struct trail *trail;   /* by rank: the same for others to see */
    VEC(struct decision) decisions;
    struct replay_manner manner; /* replay.c */
    VEC(struct op_name) buffered, unbuffered;
    struct account account;
    struct naming naming;  /* in it */
    bool scouted;          /* scout.c */
    bool scouted_first;    /* before polls were followed, perhaps in vain */
    bool leapt_in_vain;    /* ranks that poll for ever were followed far (run_ends.c) */
    uint64_t scouted_work; /* tree_work that was for it, and is none of the search's */
    struct map early_ends; /* of runs that were told before they were proved, or reached by the search: key -> number */
    struct sidesteps sidesteps;
    struct later_rounds later;
    struct dives dives;
    struct step in_hand;   /* the decision that is being made, or none, and the state it is made in: for BUG() */
    uint32_t telling;      /* the end of the run whose deadlocks with less slack are looked for */
    visit_fn *visit;
    void *visitor;
    struct timespec start;
    struct explore_result result;
};

/* Whose operation it is, by number. */
static inline rank_t search_rank_of(const struct explorer *x, uint32_t op)
{
    return x->game.tree.node.at[x->game.tree.op.at[op].node].rank;
}

/* Takes the last frame away. */
void search_pop(struct explorer *);

/* The decisions from the beginning to here. */
void search_find_path(struct explorer *, uint32_t step);

/* The first state; NULL: the runner failed. */
struct state *search_begin(struct explorer *);

/* Goes on by an option of the state; the state is gone if the runner failed: -1. */
int search_take(struct explorer *, struct state *, const struct option *) __attribute__((warn_unused_result));
/* The same by what was once decided there. */
int search_take_pick(struct explorer *, struct state *, struct pick) __attribute__((warn_unused_result));

/* Begins what comes next, as much as may run beside. */
void search_begin_next_runs(struct explorer *);

/* To be called before an option is taken of a state that was reached by this step: the runner may want to know the way. */
void search_announce(struct explorer *, const struct state *, uint32_t step, const struct option *);

/* What is to be decided in a state: a stretch of the options in the menu; none at an end. */
struct stretch {
    uint32_t first, until;
};
struct stretch search_plan(struct explorer *, const struct state *, uint32_t step);
/* The same for a state that was planned before: nothing is noted. */
struct stretch search_plan_again(struct explorer *, const struct state *, uint32_t step);
/* All that can be decided there. */
struct stretch search_plan_everything(struct explorer *, const struct state *);

/* Asked when there is something left to do. */
bool search_is_over(struct explorer *);
/* Why it was left when the time is over. */
uint32_t search_left_at_deadline(void);

/* A state was reached by a step: the step by which it was first, which may be this one. */
uint32_t search_note(struct explorer *, const struct state *, struct step);

/* A state was reached by a step that has an edge of its own, at this cost; takes the state.  A new one is expanded. */
void search_visit(struct explorer *, struct state *, struct step, cost_t, double share);

/* Takes a state that was reached by a step, and plans what is to be tried in it: what has to be, for the first time or once more, or everything. */
enum expansion { EXPAND_FIRST, EXPAND_AGAIN, EXPAND_WHOLE };
void search_expand(struct explorer *, struct state *, uint32_t step, double share, enum expansion);

/* A state and the tight one beside it, if there is one; and the key by which a state that was reached at this cost is known. */
struct map_key search_key_with_tight(const struct state *);
struct map_key search_key(const struct explorer *, const struct state *, cost_t);

/* The state that was reached by this step; NULL: the runner failed. */
struct state *search_reach(struct explorer *, uint32_t step);

/* Takes options of frames until there is none, or it is to deepen; expands again the states whose reduction was wrong.  -1: the runner failed. */
int search_to_end(struct explorer *) __attribute__((warn_unused_result));

/* When all has been searched: the first state from which no run comes to its end is told, if there is one (endless.c). */
int search_tell_endless(struct explorer *) __attribute__((warn_unused_result));
void search_tell_spinning(struct explorer *, const struct state *, uint32_t step);

/* Forgets how far it got, but not what ends were told, unless keepers are lacking. */
void search_begin_anew(struct explorer *);

/* Whether windows were met for which there are no keepers: then no state that was reached is one, and it has to begin anew. */
static inline bool search_lacks_keepers(const struct explorer *x)
{
    return window_players(x->game.keepers, x->game.windows.lessons.slots) > x->game.ranks;
}

/* repair.c: expands again the states that were decided at one point alone on a false assumption, if there are `any`.  -1: the runner failed. */
int search_repair(struct explorer *, bool *any) __attribute__((warn_unused_result));
bool search_is_refuted(const struct explorer *, const struct assumption *);

/* Over and over, until nothing is learned on the way; -1: the runner failed. */
int search_all(struct explorer *) __attribute__((warn_unused_result));

/* ---- circles.c ---- */

/* A decision leads from a step to another that is known: whether that is on the way to it. */
void search_look_for_circle(struct explorer *, uint32_t from, uint32_t to);
/* Whether a state was met twice on the way to it, but for what the tight state owes: then that edge is noted.  And of a new state, what the next need to know. */
bool search_goes_round_again(struct explorer *, const struct state *, struct step, cost_t);
void search_note_without_debts(struct explorer *, const struct state *, uint32_t at);

/* An option that was open in this state, by what was decided. */
const struct option *search_find_option(const struct menu *, struct pick);

/* After an option was taken: whether that has taught something that makes the search begin anew. */
bool search_has_learned(struct explorer *);

/* The reduction that is used. */
const struct reduction *search_reduction(const struct explorer *);

/* unfollowed.c: lets go of what follows a state, reached at this cost, from where less slack does no harm; the second only where that is known already. */
void search_look_for_safety(struct explorer *, struct state *, cost_t);
/* That state is new, and was reached by this step. */
void search_note_met(struct explorer *, uint32_t step);
void search_let_go_if_safe(const struct explorer *, struct state *);
/* When all has been searched: whether that was right in spite of a message that was assumed not to come. */
bool search_is_safe_all_the_same(struct explorer *);

/* ---- deepening.c ---- */

/* What was done so far, in a measure that does not depend on the machine. */
uint64_t search_work(const struct explorer *);

/* Whether it has gone on for so long that it should be left in good order. */
bool search_should_deepen(const struct explorer *);

/* Whether random runs are so much behind that frames should be put aside for one; and putting aside. */
bool search_should_turn_aside(const struct explorer *);
void search_put_frames_aside(struct explorer *);

/* What an option adds to the cost of a run, and whether that is too much for now in the state that was reached by a step. */
cost_t search_price(const struct explorer *, struct pick);
bool search_is_for_later(const struct explorer *, uint32_t step, struct pick);

/* ---- stand_ins.c ---- */

/* A state was first reached by a step: what it is without what follows it with less slack. */
void search_note_unowing(struct explorer *, const struct state *, uint32_t step);
/* Which state stands for one that was reached without passing any that another stands for: from now on itself, if none did. */
uint32_t search_stand_in(struct explorer *, uint32_t step);
/* The same of any state; itself also if it stands for nobody. */
uint32_t search_known_stand_in(const struct explorer *, uint32_t step);

/* ---- state_costs.c ---- */

/* Of the cheapest way to a state that is known; nothing, as long as the search does not deepen. */
cost_t search_cost(const struct explorer *, uint32_t step);
/* A state was reached at this cost: if that is less than was known, what follows from it costs less, too. */
void search_note_cost(struct explorer *, uint32_t step, cost_t);
/* Something else is counted: what states cost is found out anew. */
void search_find_costs(struct explorer *);
void edges_ahead_release(struct edges_ahead *);

/* Options of a state, of which those that are for later, or all of them, become errands. */
void search_defer(struct explorer *, const struct frame *, const struct option *, size_t n, bool all);

/* What is left is done in the order of its cost; -1: the runner failed. */
int search_deepen(struct explorer *) __attribute__((warn_unused_result));

/* late_departures.c: how near to the end of the first run all is known that departs from it, if nothing better can be said. */
void search_find_late_departures(const struct explorer *, struct completeness *);

/* One run at random, out of turn; -1: the runner failed. */
int search_stray(struct explorer *, uint64_t most_work) __attribute__((warn_unused_result));

/* Whether the user wants no more than what is within some bound. */
bool search_has_bound(const struct explorer *);

/* One of so many, at random. */
uint32_t search_random(struct explorer *, uint32_t n);

/* Runs decided at random, as many as asked for; -1: the runner failed. */
int search_sample(struct explorer *) __attribute__((warn_unused_result));

/* How many runs there are, counting those that were spared because they come to a state that was visited. */
void search_count(struct explorer *);

/* An edge from one state to another; by its number: a step, or behind these, a detour. */
struct state_edge {
    uint32_t from, to;
    struct pick pick;
};
struct state_edge search_edge(const struct explorer *, size_t);

/* The edges sorted by where they begin, or end: of state s, index[first[s]] up to index[first[s + 1]]. */
struct sorted {
    uint32_t *first, *index; /* owns */
};
struct sorted search_sort_edges(const struct explorer *, bool by_end);
void sorted_release(struct sorted *);

/* To the ends that are good (explore_aim_at), or to any. */
struct ways_out search_find_ways_out(const struct explorer *, bool to_any_end);
void ways_out_release(struct ways_out *);

/* How a run goes that makes the decisions in `path`. */
void account_for_path(struct explorer *);

/* The same for one that is on its way: where ranks go is noted from the beginning on; at the end it becomes `account`. */
void account_begin(struct explorer *);
void account_end(struct explorer *, const struct state *);
/* An option by ranks alone: `op` and `message` are left out, which depend on the way there. */
struct decision decision_without_names(const struct explorer *, uint32_t user, uint64_t choice);
/* An option by names; to be asked before it is taken. */
struct decision account_decision(struct explorer *, uint32_t user, uint64_t choice);
struct decision account_silent_decision(struct explorer *, uint32_t user, uint64_t choice); /* complaints are not counted */
/* The last decision was made so: if that is a leap, how far it went is part of it. */
void account_note_leap(struct explorer *, struct pick);

/* Tells the visitor that the run ended here, unless it was told. */
void search_tell(struct explorer *, const struct state *, uint32_t step);

/* scout.c: whether no run has ended for long, and one is to be made ahead. */
bool search_should_scout(const struct explorer *);
void search_scout(struct explorer *);
/* The same before the search begins: it was to begin with polls, and to follow them takes long. */
void search_scout_first(struct explorer *);
/* A run that is decided so: in a state whose menu is filled, the option that is taken; NULL: none is left, and it has ended. */
struct scout_walk {
    uint32_t noes;    /* that polls were told in a row, also by their ranks (leaps.h) */
    uint32_t answers; /* the same in answers */
    uint32_t still;   /* the same since any rank has done anything else */
    bool brief;       /* it is less patient: the search can begin without it */
    rank_t last;      /* for whom something was decided last */
};
#define SCOUT_WALK_BEGIN ((struct scout_walk){.last = RANK_NONE})
const struct option *scout_decide(struct explorer *, struct scout_walk *);
/* As search_take, of an option that was decided so. */
int scout_take(struct explorer *, struct state *, struct scout_walk *, const struct option *) __attribute__((warn_unused_result));
/* Whether it goes on if polls say no for so long. */
bool scout_is_patient(const struct scout_walk *);
/* A long first run was told: whether those who ended as they should do so again.  If not, that is how they end from now on. */
bool search_prove_ends(struct explorer *, const struct state *);
/* Whether a run that ended here has ended well, with all exit codes 0. */
bool search_is_clean_end(struct explorer *, const struct state *);
/* Tells the visitor that it ended here. */
void search_tell_scouted(struct explorer *, const struct state *);

/* Nodes have turned out to be like others: the keys of states that are kept, and of the end that was told just now, are others. */
void search_find_keys_anew(struct explorer *);
void search_find_scouted_key_anew(struct explorer *, struct state *);

/* ---- dives.c ---- */

bool search_should_dive(const struct explorer *);
bool search_dive_is_over(const struct explorer *);
/* What is next on a dive, which begins if none is on; false: nothing is, and it has ended. */
bool search_next_dive(struct explorer *, struct errand *);
void search_end_dive(struct explorer *);

/* ---- later_rounds.c ---- */

void later_rounds_release(struct later_rounds *);
/* A state was planned, with this point or all: who can be told yes there in later rounds. */
void search_note_later_rounds(struct explorer *, const struct state *, uint32_t step, int point);
/* When all else has been searched: tries yeses in later rounds; -1: the runner failed. */
int search_try_later_rounds(struct explorer *) __attribute__((warn_unused_result));
/* Whether they are being tried, and that is enough for now. */
bool search_pauses_later_rounds(const struct explorer *);

/* ---- sidesteps.c ---- */

void sidesteps_release(struct sidesteps *, const struct game *);
/* The search begins anew: they do, too, unless what was learned is none of their business. */
void sidesteps_begin_anew(struct explorer *);

/* Whether it is time for some, as long as the search has nothing to say of itself; and trying one decision.  -1: the runner failed. */
bool search_should_sidestep(const struct explorer *);
int search_sidestep(struct explorer *) __attribute__((warn_unused_result));

/* What is known by them, if nothing else is. */
void sidesteps_say(const struct sidesteps *, struct completeness *);

/* Tells it of an end that is none of the search. */
void search_tell_tried(struct explorer *, const struct state *);

/* Tells it that the run whose step is `telling` is held up here. */
void search_tell_slack_deadlock(void *explorer, const struct tight *);

/* in_hand.c: tells BUG() the run that a struct explorer is at. */
void search_describe_run(const void *explorer);

#endif
