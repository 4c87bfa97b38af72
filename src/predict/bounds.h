/*
 * bounds -- where each send can be taken at all.
 *
 * A formula over all pairs that fit is quadratic, and most pairs never come up: a
 * barrier lies between, or enough receives before.  Arguments that are true in
 * every run with this control flow, leave to each send a window among the slots
 * that fit it:
 *  - What must be over.  A clock per halt counts the halts of every rank that must
 *    have been passed before it: by program order, collectives, and whatever can be
 *    matched in one way only.  Slots that must be full when a send is posted are not
 *    for it.
 *  - Counting.  When a send is taken, all earlier slots that fit it are full and all
 *    earlier sends of its envelope are gone.  If those slots have less room than there
 *    are such sends, it cannot be that early; if there are not enough other
 *    sends to fill them, it cannot be that late.
 * Each sharpens the other, so they take turns.  Where they leave a slot more sends than
 * it has room for, a third one is asked, which costs more: what can be posted without
 * that slot getting full (without.h).
 *
 * The windows leave out pairs that can never be pending together, or for which
 * another pair of their mailbox would be pending, too; so "nothing can match" need
 * be said of the pairs inside only.
 */
#ifndef PREDICT_BOUNDS_H
#define PREDICT_BOUNDS_H

#include "predict/join.h"
#include "predict/program.h"

/* Sets `lowest` and `highest` of all sends; returns the number of pairs left.  `slack` as in sem.h; any: infinite. */
uint64_t bounds_find(struct program *, const struct joins *, uint64_t slack);

#endif
