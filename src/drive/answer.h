/*
 * answer -- what a call returns, put into the form in which a rank reads it.
 *
 * The payloads must be there: answer_needs tells whose.
 */
#ifndef DRIVE_ANSWER_H
#define DRIVE_ANSWER_H

#include "drive/checkpoint.h"

/* Calls `need` for each payload, by name, that is handed over with the answer. */
void answer_needs(const struct ret *, void (*need)(void *data, uint64_t name), void *data);

struct letter {
    struct answer answer;
    VEC(char) completions;
};
void letter_write(struct letter *, struct checkpoints *, const struct ret *);

#endif
