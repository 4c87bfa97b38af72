/*
 * window_knowledge -- what need not be decided at windows, as far as was seen.
 *
 * Requests for shared locks commute with each other and with releases, as long as nobody wants the lock for itself; atomic accesses
 * of one class commute (call/window.h).  So these are taken as they come, until something shows up that does not commute with them:
 * then it is known better, and the search begins anew.
 */
#ifndef EXPLORE_WINDOW_KNOWLEDGE_H
#define EXPLORE_WINDOW_KNOWLEDGE_H

#include <stdbool.h>

#include "call/window.h"
#include "explore/explore.h"

struct window_knowledge {
    struct window_lessons lessons;
    uint32_t shared, atomic;            /* sets of slots where such messages were taken as they came */
    uint8_t accesses[WINDOW_SLOTS];     /* by slot: the class of those that were made; 0: none yet */
};

/* From an operation that is about to be posted.  True: what was searched so far may have lacked a run. */
bool window_knowledge_learn(struct window_knowledge *, int ranks, const struct op *);

/* Whether this message to a keeper is taken as it comes; that is noted. */
bool window_knowledge_calms(struct window_knowledge *, int ranks, const struct op *);

#endif
