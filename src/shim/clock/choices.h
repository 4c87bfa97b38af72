/*
 * choices -- the choices of this rank: their numbers, what was decided, how they came out.
 *
 * The decision file says how the first of them are to be made.  It is followed as long as
 * the rank does what it did when the decision was taken; from the first difference on,
 * which is written down, the rank is free.
 */
#ifndef SHIM_CLOCK_CHOICES_H
#define SHIM_CLOCK_CHOICES_H

#include "shim/clock/decisions.h"
#include "shim/shim.h"

/* NULL, or what is wrong with the decision file. */
const char *choices_open(void);

/* What the rank does becomes part of its history. */
void choices_note(const struct op *, const uint32_t *list);

/* What was decided about the send or receive that was noted last. */
enum cancel_outcome choices_cancel_outcome(void);

/* What was decided is followed no more. */
bool choices_were_left(void);

/* Nothing is decided about what is still to come. */
bool choices_are_free(void);

struct numbered_choice {
    uint64_t number, op;
    uint64_t history;
    const struct forced_decision *decision; /* NULL: free */
};

/* The next choice, that of operation `op`, which was noted last. */
struct numbered_choice choice_begin(uint64_t op);

/* What was decided cannot be done: the rank is free from here on. */
void choice_diverge(struct numbered_choice *);

/* How it came out; `items` for CHOICE_SET. */
void choice_end(const struct numbered_choice *, enum causal_choice_kind, int32_t value, uint64_t polls, uint64_t clock,
                const int32_t *item, uint32_t items);

#endif
