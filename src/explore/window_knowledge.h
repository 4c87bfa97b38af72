/*
 * window_knowledge -- what need not be decided at windows, as far as was seen.
 *
 * Releases of locks commute with all that can come before them (L13).  Requests for shared locks do with each other, as long as nobody wants the
 * lock for itself; atomic accesses of one class commute (call/window.h).  So these are taken as they come, until something shows up that does not
 * commute with them: then it is known better, and the search begins anew.
 */
#ifndef EXPLORE_WINDOW_KNOWLEDGE_H
#define EXPLORE_WINDOW_KNOWLEDGE_H

#include <stdbool.h>

#include "call/window.h"
#include "explore/explore.h"

struct window_knowledge {
    struct window_lessons lessons;
    uint32_t shared, atomic;            /* sets of slots where such messages were taken as they came */
    uint8_t accesses[WINDOW_SHARES];    /* by slot: the class of those that were made; 0: none yet */
};

/*
 * Sets have a bit for each of WINDOW_SHARES slots, so more slots than that share them: what was seen at one of these is then
 * taken to have been seen at all, and more is decided than need be.
 */

/* From an operation that is about to be posted.  True: what was searched so far may have lacked a run. */
bool window_knowledge_learn(struct window_knowledge *, int ranks, const struct op *);

/* Whether this message to a keeper commutes with all others, by itself or as far as was seen. */
bool window_knowledge_is_calm(const struct window_knowledge *, int ranks, const struct op *);

/* Whether this message to a keeper is taken as it comes, though it is not calm by itself; that is noted. */
bool window_knowledge_calms(struct window_knowledge *, int ranks, const struct op *);

#endif
