/*
 * tight -- the same run with as little slack as MPI allows (M7).
 *
 * The search runs with infinite slack, since every run under any slack is also one
 * under infinite slack: blocking only forbids (L6).  What less slack can add is
 * deadlocks on the way.  So a second state follows each state of the search, by
 * the same decisions: in it no send is buffered and every collective waits for all
 * its members.  A decision that cannot be made there yet is owed, and made as soon
 * as it can be.  Nothing else is decided, so it does not matter in which order
 * (L5): where the second state stands follows from the decisions.
 *
 * If at the end of the run somebody is behind in the second state, it is held up
 * by calls that might have returned.  Loosening the call of one rank after the
 * other, fewest first, leads through every point at which some choice of slack
 * holds this run up for good.  That is a deadlock if nothing at all can happen
 * there, not only nothing of this run: what else can happen belongs to another run.
 */
#ifndef EXPLORE_TIGHT_H
#define EXPLORE_TIGHT_H

#include "explore/debts.h"
#include "explore/menu.h"
#include "explore/seen.h"

struct tight {
    struct state *state;    /* owns */
    struct debts *owed;     /* owns */
    uint32_t turns;         /* decisions of the run so far */
    bool ended;             /* the run will make no other decisions */
    bool mixed; /* a slack deadlock: only if a collective holds a member and lets another go (slack_deadlocks.h) */
    VEC(uint32_t) loosened; /* operations, by `user`, in the order in which it was done */
    void (*paid)(void *payer, const struct option *); /* told before a decision of the run is made here, too; NULL: nobody is */
    void *payer;
};

/* NULL: the runner failed.  With SLACK_TIGHT; or SLACK_WAITING: only collectives hold up. */
struct tight *tight_begin(struct game *, uint64_t slack);
struct tight *tight_clone(const struct game *, const struct tight *);
void tight_free(const struct game *, struct tight *);

/* The same for a state of the search together with the one that follows it, if there is one. */
struct state *state_clone_with_tight(const struct game *, const struct state *);
void state_free_with_tight(const struct game *, struct state *);
uint64_t state_holds_with_tight(const struct game *, const struct state *);

/* What can follow from it, together with the decisions to come. */
struct map_key tight_key(const struct tight *);

/* These return -1 if the runner failed. */

/* The run has made another decision. */
int tight_follow(struct game *, struct menu *, struct tight *, struct pick) __attribute__((warn_unused_result));

/* The run has ended; to be said before anything is loosened. */
int tight_end(struct game *, struct menu *, struct tight *) __attribute__((warn_unused_result));

/*
 * Who asks a window again and again is not answered at once any more after a while (sem.h), also where the question commutes with all
 * others.  How often it asks depends on when others come, so in the run nothing is owed for that; here it is answered as long as that
 * leads to anything new, but no longer than a while.
 */
int tight_answer_askers(struct game *, struct menu *, struct tight *) __attribute__((warn_unused_result));

/* An operation that holds up its rank is loosened. */
int tight_loosen(struct game *, struct menu *, struct tight *, uint32_t user) __attribute__((warn_unused_result));

/* ---- for slack_deadlocks.c ---- */

typedef VEC(op_id) ids_t;

/* The operations of a rank that its call is about and that would complete if they were loosened. */
void tight_loosening(struct game *, const struct state *, rank_t, ids_t *);
/* The same if its call waits for all of them: none if others are incomplete, too. */
void tight_loosening_together(struct game *, const struct state *, rank_t, ids_t *);
/* Those to be loosened so that its call returns as it did in the run; none, if that alone does not help. */
void tight_needed(struct game *, const struct tight *, rank_t, ids_t *);
int tight_loosen_all(struct game *, struct menu *, struct tight *, const ids_t *) __attribute__((warn_unused_result));

#endif
