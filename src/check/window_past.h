/*
 * window_past -- what the chapter before has left of clocks, where that was not over (outcome/chapter_rest.h).
 *
 * Clocks of operations that are told again, with what has come to them, and what keepers and ranks knew at its end; all in the numbers of the chapter
 * that follows.
 */
#ifndef CHECK_WINDOW_PAST_H
#define CHECK_WINDOW_PAST_H

#include "base/map.h"
#include "outcome/chapter_rest.h"

/* What an operation that is told again has met: a keeper, or nobody (RANK_NONE); and what that has brought. */
struct past_meeting {
    struct op_name name;
    rank_t keeper;
    uint32_t gain; /* 1 + the clock; 0: none */
};

struct past_keeper {
    rank_t keeper;
    uint32_t all, alone;   /* clocks */
    bool is_alone;
    struct map location;   /* -> clock */
    uint32_t large;        /* 1 + the clock; 0: none */
    VEC(uint32_t) atomic;  /* by rank: how many of the accesses that are told again were taken */
};

/* All zero: there is no past. */
struct window_past {
    int width;
    VEC(uint32_t) clock;             /* of `width` numbers, one after the other */
    VEC(uint32_t) first;             /* by rank: the clock of its first segment; others follow it, */
    VEC(uint32_t) segments;          /* so many */
    VEC(struct past_meeting) meeting;
    VEC(struct past_keeper) keeper;
    VEC(uint32_t) talked;            /* by rank: how many operations there were up to the last one that communicates */
};

void window_past_release(struct window_past *);

static inline const uint32_t *past_clock(const struct window_past *past, uint32_t at)
{
    return past->clock.at + (size_t)at * (size_t)past->width;
}

/* Adds a clock of `past->width` numbers of the chapter that ends; which one it is. */
uint32_t window_past_add_clock(struct window_past *, const struct chapter_rest *, const uint32_t *);

#endif
