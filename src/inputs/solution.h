/*
 * solution -- changes of an input that are likely to turn a comparison.
 *
 * If a program compares a number with another one, and that number stands in its input, as bytes or in digits, then the other one, in its
 * place, makes them equal [Aschermann 2019].  One more or one less makes it greater or less.  The same
 * holds for texts.  Compilers make of a range one comparison with a difference, so a number of the input may be off by a constant: such changes come last.
 */
#ifndef INPUTS_SOLUTION_H
#define INPUTS_SOLUTION_H

#include "inputs/observation.h"

/* How two things compare, as bits of a set. */
enum relation { RELATION_LESS = 1, RELATION_EQUAL = 2, RELATION_GREATER = 4 };

struct solution {
    uint64_t place;         /* of the comparison */
    enum relation relation; /* that it is to have */
    uint32_t at, cut;       /* of the input */
    uint8_t bytes;          /* that come there */
    uint8_t with[COVERAGE_TEXT];
};
typedef VEC(struct solution) solutions_t;

/* Adds those for what was compared in a run with this input. */
void solutions_find(solutions_t *, const input_bytes_t *, const struct observation *);

enum relation compared_relation(const struct compared *);
enum relation compared_text_relation(const struct compared_text *); /* less: they differ */

#endif
