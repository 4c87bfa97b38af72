/*
 * detours -- ways through the states that were visited, as a whole and one after the other.
 *
 * Where the search comes to a state in which it was before, it does not go on: what follows is known.  But who knows what of whom is
 * in no state, so a run that came there otherwise may show what no visited run does.  The states and the steps between them are a graph; each way through
 * it from the beginning to an end is a run.  If there are not too many, all of them are told; else for each step that led
 * to a known state one way that uses it, and then some at random.
 */
#ifndef EXPLORE_DETOURS_H
#define EXPLORE_DETOURS_H

#include "base/mem.h"
#include "explore/explore.h"

struct detours;

/* After the search. */
struct detours *detours_new(struct explorer *, uint64_t most);
void detours_free(struct detours *);

/* How the next one goes; NULL: there is none left.  As explore_account. */
const struct account *detours_next(struct detours *);

/* All ways are told, if detours_next is asked until there is none left. */
bool detours_are_all(const struct detours *);

#endif
