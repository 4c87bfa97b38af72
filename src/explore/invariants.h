/*
 * invariants -- what holds of the search between two steps: of a state at rest, of the tree of histories, and of what
 * the search remembers of its way.
 *
 * Whatever is kept twice agrees, and whatever is counted adds up.  Nothing is changed; what does not hold ends in
 * BUG().
 */
#ifndef EXPLORE_INVARIANTS_H
#define EXPLORE_INVARIANTS_H

#include "base/invariant.h"

struct explorer;
struct game;
struct state;
struct tight;
struct tree;

/* Of a state that has come to rest; linear in it. */
void state_check_invariants(const struct game *, const struct state *);
/* And its key is that of what it holds: nothing has changed since it came to rest. */
void state_check_key(const struct game *, const struct state *);

/* Of the state with little slack beside it, what it owes. */
void tight_check_invariants(const struct tight *);

/* Linear in the tree; the second not often, so that all calls together are, too. */
void tree_check_invariants(const struct tree *);
void tree_check_step(const struct tree *);

/* Linear in the search; the second likewise. */
void search_check_invariants(const struct explorer *);
void search_check_step(const struct explorer *);

#endif
