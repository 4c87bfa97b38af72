/*
 * reader -- tourney's end of a channel: operations come out, answers go in.
 */
#ifndef WORLD_READER_H
#define WORLD_READER_H

#include <stdbool.h>

#include "world/memory.h"

/* `taken` is how many bytes of the ring tourney has had; skipping what pads the ring, and stacks, counts, too. */
bool reader_has_news(const struct memory *, int channel, uint64_t taken);
/* NULL: nothing there.  The stack that was told before it (WIRE_STACK), or NULL, goes to `stack`, unless that is NULL. */
const struct op *reader_peek(const struct memory *, int channel, uint64_t *taken, const struct op **stack);
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
