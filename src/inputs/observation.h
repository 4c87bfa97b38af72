/*
 * observation -- what a run with some input has shown.
 *
 * A feature is a number: that some code was run, behind some other code, about so often, or by one rank, some or all; or how the run ended.  Two
 * inputs with the same features do the same, as far as anybody can see who looks at one run.
 */
#ifndef INPUTS_OBSERVATION_H
#define INPUTS_OBSERVATION_H

#include <stdbool.h>

#include "base/mem.h"
#include "call/coverage.h"

typedef VEC(uint8_t) input_bytes_t;

struct observation {
    VEC(uint32_t) features; /* sorted, each once */
    VEC(struct compared) compared;
    VEC(struct compared_text) texts;
    bool tells;  /* the program tells of its branches */
    bool failed; /* the run did not end well */
};

/* Whether what a rank has noted can be so. */
bool compared_is_sound(const struct compared *);
bool compared_text_is_sound(const struct compared_text *);

void observation_release(struct observation *);

/* Puts the features in order. */
void observation_settle(struct observation *);

#endif
