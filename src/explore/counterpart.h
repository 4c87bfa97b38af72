/*
 * counterpart -- which decision of a run an option is in the state with little slack that follows the run (tight.h).
 *
 * Without windows both go through the same nodes, so an operation has one number in both.  The keeper of a window takes
 * what is calm as it comes.  Where calls block it comes in another order, so there the keeper's history is another one; and a
 * rank may be told earlier or later what others have changed, so its history is another one, too, though it makes
 * the same calls.  Then:
 *
 * - An operation of a rank is known by what it is and where it was called.  Of several that are alike in this, the one that was
 *   posted first is decided first: receives by M3, and calls since a rank is in one at a time.
 * - A message is known by its sender: no receive has the choice between two of one sender (M2).
 * - What a keeper decides is known by its order at this keeper.
 */
#ifndef EXPLORE_COUNTERPART_H
#define EXPLORE_COUNTERPART_H

#include "explore/debts.h"
#include "explore/menu.h"

/* Whether an operation of the run is this one here. */
bool counterpart_is_op(const struct game *, uint32_t in_run, uint32_t here);

/* Whether a message of the run, which was decided upon, is this one here. */
bool counterpart_is_message(const struct game *, uint64_t in_run, uint64_t here);

/* What is owed first to the operation of this option; NULL: nothing.  Borrows. */
const struct debt *counterpart_debt(const struct game *, const struct debts *, const struct option *);

/*
 * A request for an exclusive lock by an epoch without accesses need not be granted before that is over (D10), so in the run a request of the same rank for a shared
 * lock may have been granted first, while others shared it.  Here these may be gone by then; the lock is free, and the messages of one rank come in their order (M2): the exclusive
 * lock is granted now, and, as nobody has any use for it, given back at once.  Returns what is owed for this option in that case, where `next` is what is owed first; else NULL.  Borrows.
 */
const struct debt *counterpart_of_vacant_lock(const struct game *, const struct debts *, const struct debt *next, const struct option *);

/* Whether the option is what is owed. */
bool counterpart_pays(const struct game *, const struct debt *, const struct option *);

#endif
