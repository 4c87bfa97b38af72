/*
 * agenda -- what is yet to be tried, what is nearest to the first choices first.
 *
 * Depth first, a search that is cut short has looked at some corner, and nobody can say at which.  So one that does not
 * end turns to another order (deepening.c): by what a run costs.  Two things are counted, the first of them first:
 *
 * - late polls: a poll says no in a state in which it could say yes, once or several times in a round of polls (spin.h);
 * - other choices: what is taken is not the first of what can be taken at that point.  A late poll is one of these.
 *
 * Where that leads to nothing, departures are counted in their stead (deepening.c).
 *
 * An errand is what costs the same in one state: options of it, that are to be tried when it is their turn.  Most errands
 * know their state only by the step that led there, from which it is made again in memory; the latest keep it.
 */
#ifndef EXPLORE_AGENDA_H
#define EXPLORE_AGENDA_H

#include "explore/tight.h"

/* Late polls in the upper half, other choices in the lower; above both: */
typedef uint64_t cost_t;

#define COST_UNKNOWN UINT64_MAX
#define COST_OWED (UINT64_C(1) << 63) /* another state stands for that one if MPI buffers everything (stand_ins.c): it comes last */

static inline cost_t cost_of(uint32_t late, uint32_t other)
{
    return (cost_t)late << 32 | other;
}

static inline uint32_t cost_late(cost_t cost)
{
    return (uint32_t)((cost & ~COST_OWED) >> 32);
}

static inline uint32_t cost_other(cost_t cost)
{
    return (uint32_t)cost;
}

struct errand {
    uint32_t step;       /* of the state */
    uint32_t before;     /* another errand of that state, by number; 0: none */
    uint32_t n;          /* 0: it is done */
    bool begun;          /* what it leads to is being run ahead */
    size_t first;        /* of `pick` */
    cost_t price;        /* of each option, beside what its state costs */
    double share;        /* of the whole search, for each option */
    struct state *state; /* owns; NULL: to be reached once more */
};

/* Something by number, and when it is its turn. */
struct turn {
    cost_t cost;
    uint32_t number;
};

/* The cheapest on top; of these, the one with the highest number, which is the latest. */
typedef VEC(struct turn) turns_t;
void turns_add(turns_t *, struct turn);
struct turn turns_take(turns_t *);

enum { AGENDA_STATES = 1024 }; /* that are kept, for the latest errands; fewer if they hold much */

/* All but the turns lie on disk (base/bulk.h). */
struct agenda {
    VEC(struct errand) errand;   /* from 1 */
    VEC(struct pick) pick;
    turns_t turns;               /* of errands; those that cost less now have another one, and what they cost before means nothing */
    VEC(cost_t) cost;            /* by step: of the cheapest way there that is known */
    VEC(uint32_t) errand_of;     /* by step: its last errand; 0: none */
    uint32_t keeper[AGENDA_STATES]; /* errands that keep their state, or did, in a circle */
    uint32_t oldest, keepers;    /* the first of them, and how many there are */
    uint64_t kept;               /* what these states hold (state_holds) */
};

void agenda_release(struct agenda *, const struct game *);

/* There are so many steps: those that are new have no cost yet. */
void agenda_make_room(struct agenda *, size_t steps);

/* A state costs this, which is less than before. */
void agenda_set_cost(struct agenda *, uint32_t step, cost_t);

/* Adds an errand, of which step, price and share are given, with these picks; none: there is no errand.  Copies the state; NULL: it is not kept. */
void agenda_add(struct agenda *, const struct game *, struct errand, const struct pick *, size_t n, const struct state *);

/* What the next errand costs; COST_UNKNOWN: there is none. */
cost_t agenda_next(struct agenda *);

/* One of those that come soon and cost so much at most, by any number below `turns.n`, the nearest first or nearly so; NULL: that one does not. */
struct errand *agenda_coming(struct agenda *, size_t i, cost_t most);

/* Takes the next errand, which there is: it owns its state now, and its picks are valid until something is added. */
struct errand agenda_take(struct agenda *, const struct game *);

/* The last errand before this one that costs less, by number; 0: there is none.  And takes it, out of turn. */
uint32_t agenda_latest(const struct agenda *, uint32_t before, cost_t);
struct errand agenda_take_number(struct agenda *, const struct game *, uint32_t number);

/* One option of a state is tried out of turn, and is what it was when it was planned: its share; below 0: it is on no errand of that state. */
double agenda_strike(struct agenda *, uint32_t step, struct pick *);

/* Whether something is yet to be tried in a state, and how much. */
uint32_t agenda_left(const struct agenda *, uint32_t step);

/* What states and options cost was found out anew: errands are sorted by it. */
void agenda_sort(struct agenda *);

#endif
