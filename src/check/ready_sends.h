/*
 * ready_sends -- ready sends whose receive need not have been posted (M6).
 *
 * A ready send is right if the posting of its receive is in its causal past: then it
 * came first whatever the ranks' speeds.  Else there is an execution, with the same
 * matches, in which it did not.  The past is what program order, messages that have been
 * received, collectives and returns of synchronous sends tell (doc/semantics.md).
 */
#ifndef CHECK_READY_SENDS_H
#define CHECK_READY_SENDS_H

#include "check/defect.h"
#include "explore/explore.h"

/* Nothing, at no cost, while no rank has made a ready send. */
void ready_sends_add(struct explorer *, const struct run *, defects_t *);

#endif
