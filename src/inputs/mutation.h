/*
 * mutation -- random changes of an input.
 *
 * Of bytes, and of numbers and lines in text, since most inputs of programs that compute are text.
 */
#ifndef INPUTS_MUTATION_H
#define INPUTS_MUTATION_H

#include "inputs/observation.h"

enum { INPUT_MOST = 1 << 20 }; /* an input that is changed has at most so many bytes */

/* Numbers at random, the same for the same seed. */
struct dice {
    uint64_t state;
};
uint64_t dice_throw(struct dice *, uint64_t n); /* 0 to n - 1; n is not 0 */

/* Puts `with` in place of the bytes from `at` on, as many as `cut`. */
void input_replace(input_bytes_t *, size_t at, size_t cut, const void *with, size_t bytes);

/* A few changes at random; `other` is an input of which parts may be taken. */
void input_mutate(input_bytes_t *, const input_bytes_t *other, struct dice *);

/* The number in decimal digits that begins at or behind `at`; false: there is none.  Where it begins, and behind its end. */
bool input_next_number(const input_bytes_t *, size_t at, size_t *first, size_t *end);

#endif
