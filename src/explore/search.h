/*
 * search -- what the search remembers.  Private to src/explore.
 */
#ifndef EXPLORE_SEARCH_H
#define EXPLORE_SEARCH_H

#include <time.h>

#include "explore/explore.h"
#include "explore/naming.h"
#include "explore/reduction.h"
#include "explore/seen.h"
#include "explore/slack_deadlocks.h"

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
    uint32_t mixed; /* how often its path differs from the first run */
    bool begun;     /* an option was taken */
    double share;   /* of the whole search, for each option */
    size_t first, until;
};

/* A state decided at one point only, and why. */
struct assumption {
    uint32_t step, mixed;
    uint32_t doubts;
    size_t first; /* of `doubts` */
};

/* A step that led to an end, and what the visitor thought of it. */
struct ended {
    uint32_t step, opinion;
};

struct explorer {
    struct explore_options options;
    struct game game;
    struct menu menu;
    struct reducer reducer;
    struct map seen;    /* key -> step */
    struct map ends;    /* that the visitor was told of: key -> enum visit */
    VEC(struct ended) ended;
    VEC(struct detour) detour;
    size_t *edge_out; /* owns; graph.c */
    bool *is_good;   /* owns */
    bool *aim;       /* owns; by opinion; NULL: VISIT_GOOD is good */
    size_t aims;
    VEC(struct step) step; /* from 1 */
    VEC(struct frame) frame;
    VEC(struct option) pending;
    VEC(struct assumption) assumed;
    VEC(struct no_send_assumption) doubts;
    VEC(struct pick) path; /* scratch: the decisions that led somewhere */
    double covered;
    uint64_t random;
    node_id *nodes;
    const struct op **calls;
    struct seen slack_deadlocks; /* deadlocks with less slack that were told */
    struct seen harmless;  /* points from which less slack is no deadlock */
    struct seen held_up;   /* ends on the way to which such deadlocks were looked for */
    struct trails trails;
    struct trail *trail;   /* by rank: the same for others to see */
    VEC(struct decision) decisions;
    VEC(struct op_name) buffered, unbuffered;
    struct account account;
    struct naming naming;  /* in it */
    bool scouted;          /* scout.c */
    struct map_key early_end; /* of a run that was told before it was proved, or reached by the search; */
    uint64_t early_run;    /* its number; 0: there was none */
    struct step in_hand;   /* the decision that is being made, or none, and the state it is made in: for BUG() */
    uint32_t telling;      /* the end of the run whose deadlocks with less slack are looked for */
    visit_fn *visit;
    void *visitor;
    struct timespec start;
    struct explore_result result;
};

/* The decisions from the beginning to here. */
void search_find_path(struct explorer *, uint32_t step);

/* The first state; NULL: the runner failed. */
struct state *search_begin(struct explorer *);

/* Goes on by an option of the state; the state is gone if the runner failed: -1. */
int search_take(struct explorer *, struct state *, const struct option *) __attribute__((warn_unused_result));
/* The same by what was once decided there. */
int search_take_pick(struct explorer *, struct state *, struct pick) __attribute__((warn_unused_result));

/* To be called before an option is taken of a state that was reached by this step: the runner may want to know the way. */
void search_announce(struct explorer *, const struct state *, uint32_t step, const struct option *);

/* What is to be decided in a state: a stretch of the options in the menu; none at an end. */
struct stretch {
    uint32_t first, until;
};
struct stretch search_plan(struct explorer *, const struct state *, uint32_t step, uint32_t mixed);

/* Asked when there is something left to do. */
bool search_is_over(struct explorer *);

/* A state was reached by a step: the step by which it was first, which may be this one. */
uint32_t search_note(struct explorer *, const struct state *, struct step);

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
    size_t *first, *index; /* owns */
};
struct sorted search_sort_edges(const struct explorer *, bool by_end);
void sorted_release(struct sorted *);

/* How a run goes that makes the decisions in `path`. */
void account_for_path(struct explorer *);

/* The same for one that is on its way: where ranks go is noted from the beginning on; at the end it becomes `account`. */
void account_begin(struct explorer *);
void account_end(struct explorer *, const struct state *);
/* An option by ranks alone: `op` and `message` are left out, which depend on the way there. */
struct decision decision_without_names(const struct explorer *, uint32_t user, uint64_t choice);
/* An option by names; to be asked before it is taken. */
struct decision account_decision(struct explorer *, uint32_t user, uint64_t choice);

/* Tells the visitor that the run ended here, unless it was told. */
void search_tell(struct explorer *, const struct state *, uint32_t step);

/* scout.c: whether no run has ended for long, and one is to be made ahead. */
bool search_should_scout(const struct explorer *);
void search_scout(struct explorer *);
/* A long first run was told: whether those who ended as they should do so again.  If not, that is how they end from now on. */
bool search_prove_ends(struct explorer *, const struct state *);
/* Tells the visitor that it ended here. */
void search_tell_scouted(struct explorer *, const struct state *);

/* Tells it of an end that is none of the search. */
void search_tell_tried(struct explorer *, const struct state *);

/* Tells it that the run whose step is `telling` is held up here. */
void search_tell_slack_deadlock(void *explorer, const struct tight *);

/* in_hand.c: tells BUG() the run that a struct explorer is at. */
void search_describe_run(const void *explorer);

#endif
