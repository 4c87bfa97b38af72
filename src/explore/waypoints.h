/*
 * waypoints -- states on the way to the one that was last reached once more.
 *
 * Most of what is left for later knows its state by the step that led there only, and the state is made again by the decisions on
 * the way.  From the beginning that takes as long as the way is, and in a deep search it would be nearly all that is done.  But what is taken
 * up one after the other lies close together.  So some states on the last way are kept, the nearer to its end the closer to each other:
 * another one is reached from where the two ways part, or little before that.  If it takes d decisions from there to the end of the last way, and e to
 * the end of the new one, it takes no more than d + e, and not the length of the way.
 */
#ifndef EXPLORE_WAYPOINTS_H
#define EXPLORE_WAYPOINTS_H

#include "explore/tight.h"

struct waypoint {
    size_t depth;        /* decisions from the beginning */
    struct state *state; /* owns */
};

/* All zero is empty. */
struct waypoints {
    VEC(uint32_t) way;       /* the steps of the last way, from that of the first state on */
    VEC(struct waypoint) at; /* the least deep first */
    size_t next;             /* the depth of the one that is to be kept next, on the way that is gone now */
};

void waypoints_release(struct waypoints *, const struct game *);

/*
 * Another way is about to be gone, by these steps, which are taken over.  A copy of the deepest state that is known on it, and how deep
 * that is; NULL: none is.
 */
struct state *waypoints_begin(struct waypoints *, const struct game *, const uint32_t *way, size_t n, size_t *depth);

/* The way has come to this state, of which a copy is kept if it is a good place for that. */
void waypoints_pass(struct waypoints *, const struct game *, const struct state *, size_t depth);

#endif
