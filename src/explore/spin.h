/*
 * spin -- polls that go round (M8).
 *
 * The law for Test*, Iprobe and Improbe:
 * - A poll may say yes when that is possible and no at any time.  That does not
 *   depend on who has got how far elsewhere: "no" is always open, and a "yes"
 *   that has become possible stays so until the rank moves.  Both answers can
 *   thus wait until everybody rests, and no run is lost.
 * - A rank that was told no and, having posted nothing since, comes to a poll
 *   where it was told no before, is where it was: the "no"s in between changed
 *   nothing and are no decisions.  The polls of such a round are together one
 *   wait, for the first yes to any of them.  If none can ever say yes, the rank
 *   is stuck (progress: "no" for ever is not an answer).
 * The second part cannot be seen from what it does, for the rank may be counting.
 * If its image shows that it is where it was, that is certain.  Else
 * it is told no until it does something else, or has gone round `rounds` times;
 * a program that gives up later than that is taken to go on for ever, and
 * struct explore_result tells in how many places that was assumed.  Before such a
 * rank is called stuck it is told no very much oftener; if it then does go on, the
 * rule was wrong, the search begins anew, and polls at that place are given longer.
 */
#ifndef EXPLORE_SPIN_H
#define EXPLORE_SPIN_H

#include "explore/tree.h"

/*
 * The first of the polls among which this one, a node that ends in a poll, goes
 * round, or NODE_NONE if "no" leads on to something else.  NODE_NONE also if the
 * runner failed.  `spins` counts the rounds that are not certain.
 */
node_id spin_head(struct tree *, node_id, uint32_t rounds, uint32_t *spins);

/* The same of a node for which it was asked before, or NODE_NONE; not one that has turned out to be none. */
node_id spin_known_head(const struct tree *, node_id);

/*
 * Whether it goes round, from this head, although it is told no that often.  If not, it
 * is a head no more, and `spins` counts one less.  False, too, if the runner failed.
 */
bool spin_goes_on(struct tree *, node_id head, uint32_t patience, uint32_t *spins);

/* What follows when it is told no. */
node_id spin_no(struct tree *, node_id);

#endif
