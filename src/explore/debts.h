/*
 * debts -- decisions that are owed, by operation.
 *
 * A run may be thousands of decisions behind, and each state on the way holds its own
 * debts, which differ from the last one's by a few.  So they are never changed: adding
 * and striking out make a new set that shares all but a path with the old one, and to
 * hold a set costs nothing.  Each part knows its sum: telling sets apart is free.
 *
 * The shape, a treap, follows from the operations alone, so it stays shallow whatever
 * the order in which they come.
 */
#ifndef EXPLORE_DEBTS_H
#define EXPLORE_DEBTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

struct debt {
    uint32_t op;
    uint32_t turn;   /* when it should have been made */
    uint64_t choice;
};

struct debts; /* NULL: none */

struct debts *debts_hold(struct debts *); /* once more */
void debts_release(struct debts *);

/* These take a hold over and return another.  Of one operation, debts are added by turn. */
struct debts *debts_add(struct debts *, struct debt);
struct debts *debts_strike(struct debts *, uint32_t op, uint32_t turn); /* the first of the operation that is not before this turn, else the last */

/* Equal for equal sets; the turns do not matter, but for the order of those of one operation. */
struct map_key debts_key(const struct debts *);
/* The first of an operation; NULL: none.  Borrows. */
const struct debt *debts_of(const struct debts *, uint32_t op);

/* Asks for each, by operation, until one says yes; whether one did. */
bool debts_any(const struct debts *, bool (*)(const struct debt *, void *data), void *data);

/* Sums, order and heights are those of what it holds; else BUG(). */
void debts_check_invariants(const struct debts *);

#endif
