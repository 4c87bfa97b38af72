/*
 * decisions -- what one rank reads of a decision file (call/causal.h).
 *
 * Without MPI, so that it can be tried out with files of any kind.
 */
#ifndef SHIM_CLOCK_DECISIONS_H
#define SHIM_CLOCK_DECISIONS_H

#include <stdio.h>

#include "call/causal.h"

struct forced_decision {
    uint64_t number;
    enum causal_choice_kind kind;
    uint64_t polls;
    int32_t value;
    bool glimpse;  /* CHOICE_SOURCE: a probe sees a message that never comes, with these: */
    int32_t tag;
    uint64_t bytes;
    int32_t *item; /* owned; CHOICE_SET, rising from 0 or more */
    uint32_t items;
    bool compare;
    uint64_t history;
};

struct decided_cancel {
    uint64_t number; /* of the send or receive */
    enum cancel_outcome outcome;
};

struct decisions {
    struct forced_decision *at; /* owned */
    uint64_t n, room;
    struct decided_cancel *cancel; /* owned */
    uint64_t cancels, cancels_room;
    uint64_t free_from;
};

/* Those of this rank.  NULL, or what is wrong; then there may be some, too. */
const char *decisions_read(struct decisions *, FILE *, rank_t);
void decisions_release(struct decisions *);

#endif
