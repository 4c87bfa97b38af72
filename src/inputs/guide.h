/*
 * guide -- which input is tried next, and which are worth keeping.
 *
 * It knows inputs as bytes and runs as observations, and nothing of programs: whoever asks has an input tried and says what was seen.  An
 * input that shows a feature which none has shown before is kept, and is what others are made from: first by turning comparisons that
 * went only one way so far (solution.h), the latest input first, so that conditions behind conditions are reached; then, in turns, by the rest of
 * those changes and at random.
 */
#ifndef INPUTS_GUIDE_H
#define INPUTS_GUIDE_H

#include "base/map.h"
#include "inputs/mutation.h"
#include "inputs/solution.h"

/* Tries an input, whose name ends like that of the input that it was made from. */
typedef void try_fn(void *data, const input_bytes_t *, uint32_t from, struct observation *);

struct kept_input {
    input_bytes_t bytes;
    VEC(uint32_t) features; /* all that it has shown, sorted */
    uint32_t from;          /* the one that it was made from, which may be itself */
    bool failed;            /* its run did not end well */
    solutions_t solutions;
    size_t tried, stale;    /* so many of its solutions were looked at, for the first time and for the second */
};

struct guide {
    VEC(struct kept_input) kept;
    struct map features;  /* that were shown -> 1 + the kept input that was the first */
    struct map relations; /* by the place of a comparison: those that were seen, a set */
    struct dice dice;
    try_fn *try;
    void *data;
    uint64_t tries, most; /* made, and allowed */
    uint64_t turn;
    bool tells;           /* the program tells of its branches */
};

enum { GUIDE_NOTHING = UINT32_MAX };

void guide_init(struct guide *, uint64_t seed, uint64_t most, try_fn *, void *data);
void guide_release(struct guide *);

/* Tries an input that somebody has; its number, if it is kept.  `anyway`: also if it shows nothing new. */
uint32_t guide_begin_with(struct guide *, const input_bytes_t *, bool anyway);

/* Makes an input and tries it; its number, if it is kept, after it was made shorter. */
uint32_t guide_go_on(struct guide *);

static inline bool guide_is_over(const struct guide *guide)
{
    return guide->tries >= guide->most;
}

/* Of these two sets of features, sorted: whether the second has all of the first. */
bool features_include(const uint32_t *some, size_t n, const uint32_t *all, size_t m);

#endif
