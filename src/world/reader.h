/*
 * reader -- tourney's end of a channel: operations come out, answers go in.
 */
#ifndef WORLD_READER_H
#define WORLD_READER_H

#include <stdbool.h>

#include "call/touch.h"
#include "world/memory.h"

/* `taken` is how many bytes of the ring tourney has had; skipping what pads the ring, and stacks, counts, too. */
bool reader_has_news(const struct memory *, int channel, uint64_t taken);
/* What was told before an operation and is none: WIRE_STACK, NULL: it was not; and WIRE_TOUCHES, as many as there are. */
struct told_before {
    const struct op *stack, *touches[TOUCH_RECORDS];
    uint32_t touch_records;
};

/* NULL: nothing there.  What was told before it is added to the last, unless that is NULL. */
const struct op *reader_peek(const struct memory *, int channel, uint64_t *taken, struct told_before *);
/* Whether a cancel says that it is too late (OPF_TOO_LATE); it says so no more then. */
bool reader_is_too_late(const struct op *);
void reader_take(const struct memory *, int channel, uint64_t *taken); /* what was peeked at */

/* Wakes the one that sleeps there.  `completions`: the bytes behind the answer's head. */
void reader_answer(const struct memory *, int channel, struct answer, const void *completions, size_t bytes);
/* The same for one that may know its answer (call/mail.h), after `turn` others; false: it has gone on. */
bool reader_offer_answer(const struct memory *, int channel, uint32_t turn, struct answer, const void *completions,
                         size_t bytes);

/*
 * How it sleeps.  It has posted a call that wants an answer: if it does not sleep yet, it
 * will in a moment, which is waited for.  NULL: it does not, so it must have been killed.
 */
const struct wire_sleep *reader_sleep(const struct memory *, int channel);

#endif
