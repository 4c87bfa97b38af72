/*
 * assumptions -- what a verdict takes for granted, by kind.
 *
 * Some hold for every search of a kind: they have their words here, and are told in one line by their
 * brief form.  Others were made at some place of the program, or for some reason: whoever makes one says it in a sentence
 * of its own.  Unlike a bound (struct result), an assumption leaves the verdict as it is.
 */
#ifndef RESULT_ASSUMPTIONS_H
#define RESULT_ASSUMPTIONS_H

#include "result/result.h"

enum assumption_kind {
    ASSUMED_INPUT,
    ASSUMED_LAYOUT,
    ASSUMED_CLOCKS,
    ASSUMED_REAL_CLOCKS,
    ASSUMED_RANDOM,
    ASSUMED_NODES,
    ASSUMED_FAULTS,
    ASSUMED_REDUCTIONS,
    ASSUMED_FILES,
    ASSUMED_COLLECTIVES, /* in a real job */
    ASSUMED_PREFERENCE,
    ASSUMED_MEASUREMENTS,
    ASSUMED_POLLS,       /* from here on, only with a sentence */
    ASSUMED_MERGING,
    ASSUMED_FOLLOWING,
    ASSUMED_COPIES,
    ASSUMED_THREADS,
    ASSUMED_WINDOWS,
    ASSUMED_BUFFERS,
    ASSUMPTION_KINDS
};

/* The name of a kind in result.json. */
const char *assumption_name(enum assumption_kind);

/* Adds one that has its words here. */
void result_assume(struct result *, enum assumption_kind);

/* Adds one with words of its own, also for the line that lists them. */
void result_assume_briefly(struct result *, enum assumption_kind, const char *brief, const char *text);

/* Adds one with a sentence of its own, unless it is there; the place is "ring.c:41 in main", or NULL. */
void result_assume_that(struct result *, enum assumption_kind, const char *place, const char *text);

#endif
