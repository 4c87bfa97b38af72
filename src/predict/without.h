/*
 * without -- what can be posted while a slot is not full.
 *
 * A send that is taken by a slot was posted before that slot was full.  So let
 * everything happen that can be imagined, but for this slot getting full: whatever is
 * not posted then is not for it.  What can be imagined errs on one side only: a slot
 * can be full as soon as enough was posted that may be taken there, whoever else might
 * want it, too.
 *
 * Clocks (bounds.h) cannot see this where a slot has more candidates than room: the
 * owner of row k in a pipeline waits for k rows, of whomever.
 */
#ifndef PREDICT_WITHOUT_H
#define PREDICT_WITHOUT_H

#include "predict/join.h"
#include "predict/program.h"

struct without {
    const struct program *program; /* borrows */
    const struct joins *joins;     /* borrows */
    uint64_t slack;                /* as for bounds_find */
    uint32_t slot;                 /* the one that is never full */
    bool *passed;                  /* owns; by halt */
    halt_t *next;                  /* owns; by rank: not passed yet */
    uint32_t *first_send;          /* owns; by rank, and one more */
    uint32_t *next_send;           /* owns; by rank: not posted yet */
    uint32_t *count;               /* owns; by slot: posted sends that may be taken there; of a pattern that is not
                                      shared, there first */
    uint64_t *room;                /* owns; by slot: with all before it in its pattern */
    uint32_t *turn;                /* owns; by slot: its number in its pattern */
    struct supply *supply;         /* owns; by pattern */
    uint64_t steps;                /* taken so far, in all */
};

/* Windows must be set, and may be narrowed between questions. */
void without_init(struct without *, const struct program *, const struct joins *, uint64_t slack);
void without_release(struct without *);

/* Asks about a slot; then whether what comes after a halt can be posted without it. */
void without_slot(struct without *, uint32_t slot);
bool without_posts(const struct without *, halt_t after);

#endif
