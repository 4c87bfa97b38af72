/*
 * ours -- the formula that is satisfied by exactly the deadlocks of a program, as
 * long as nothing in it moves in a circle (order.h looks after that).
 *
 * Variables: a halt is passed; a send is taken by a slot, or by one of the first of
 * its slots (which makes "once" and "in order" chains instead of tables); a send is
 * buffered, a call of a collective waits for its data flow only (M7), where
 * that is free.  Everything else follows from these.  In the end state
 *  - a halt is passed iff the one before it is and its needs are met (M5, M6): of a send
 *    that is not buffered, that it is taken and, if a matched probe took it, received;
 *  - a send taken by a slot is posted, so is the slot; earlier sends of the channel
 *    that fit the slot and earlier slots that fit the send are gone (M2, M3);
 *  - no slot has more than it has room for; full is when it has as many;
 *  - no send and slot that fit are both posted and neither gone nor full: nothing can
 *    match.  That is the same as "no pair is eligible" (L2);
 *  - some rank has not passed its last halt (M9), if it is deadlocks that are asked for,
 *    and not all ends.
 * That what happened happened in some order is not said: see order.h.
 */
#ifndef PREDICT_OURS_H
#define PREDICT_OURS_H

#include "predict/certain.h"
#include "predict/formula.h"
#include "predict/join.h"
#include "predict/program.h"

/* A probe that finds this send. */
struct sighting {
    uint32_t probe, send;
    int literal;
};

struct ours {
    struct program *program; /* borrows */
    struct joins *joins;     /* borrows */
    struct certain certain;
    struct buffering buffering;
    struct formula *formula; /* borrows */
    int *passed;             /* by halt */
    int *taken;              /* by send */
    int *buffered;           /* by send; a constant, unless it is free */
    int *done;               /* by send: received or buffered */
    int *met;                /* by part: complete */
    int *loose;              /* by part: by data flow only; a constant, or free, and one for all parts of a collective */
    struct map loose_in;     /* by collective */
    int *full;               /* by slot */
    int *joined;             /* by join */
    int *prefix;             /* by send: it and all before it in its channel are gone; 0: nobody asked */
    uint32_t *first_pair;    /* by send: of its window, in `pair` and `early` */
    VEC(int) pair;           /* taken by this slot */
    VEC(int) early;          /* by this one or an earlier one */
    VEC(struct sighting) sighting; /* by probe */
    uint32_t *first_sighting;     /* by probe, and one more */
};

enum ends { ENDS_IN_DEADLOCK, ENDS_ANYHOW };
void ours_init(struct ours *, struct program *, struct joins *, struct formula *, struct buffering, enum ends);
void ours_release(struct ours *);

/* The send is taken by this slot; LIT_FALSE: in no run. */
int ours_pair(const struct ours *, uint32_t send, uint32_t slot);

/* LIT_TRUE for HALT_START. */
int ours_after(const struct ours *, halt_t);

/*
 * What has to be over before a send can be taken by the slot number `at` of its
 * envelope (M2, M3), or found by a probe that looks at slots before `at` only: told
 * as sends, slots, halts (of what was withdrawn), or all sends of the channel up to one.
 */
enum earlier { EARLIER_SEND, EARLIER_SLOT, EARLIER_GATE, EARLIER_PREFIX };
typedef void earlier_visitor(void *data, enum earlier, uint32_t id);
void ours_earlier(const struct ours *, uint32_t send, uint32_t at, bool any_tag, earlier_visitor *, void *data);

/* Of the slots that fit an envelope, how many were posted before a probe. */
uint32_t ours_slots_before(const struct envelope_class *, const struct probe *);

#endif
