/*
 * chapter_rest -- which operations of a chapter have a place in the next one.
 *
 * A long run is told in chapters (play/chronicle.h).  Where one ends that is not over, what follows may refer to operations in it: those are told again,
 * at the beginning of the next one and in their order.  Of others only the place matters, in comparisons: whether somebody knew of them.
 * So each that is kept has a number again, which rises with the old one, and all else is forgotten.
 */
#ifndef OUTCOME_CHAPTER_REST_H
#define OUTCOME_CHAPTER_REST_H

#include <stdbool.h>

#include "base/mem.h"
#include "outcome/decision.h"

/* What a reader says of a chapter. */
enum chapter_end {
    CHAPTER_OVER,      /* nothing that follows has to do with it */
    CHAPTER_GOES_OVER, /* the next one may begin with the rest of it */
    CHAPTER_STAYS,     /* it has to be told once more, with what follows */
    CHAPTER_UNFOLLOWED, /* so does it, but cannot be followed */
};

struct kept_op {
    uint32_t number;
    bool again; /* it is told again; else its place is taken by nothing */
};

typedef VEC(struct kept_op) kept_ops_t;

/* The next chapter begins with these; who is told again ends a segment there. */
struct chapter_rest {
    int ranks;
    kept_ops_t *kept;  /* owns; by rank */
    size_t remembered; /* accesses that the reader has not forgotten, beside these */
};

void chapter_rest_init(struct chapter_rest *, int ranks);
void chapter_rest_release(struct chapter_rest *);

void chapter_rest_add(struct chapter_rest *, struct op_name, bool again);

/* Before it is asked: */
void chapter_rest_sort(struct chapter_rest *);

/* How many of the rank come before that number: what it is in the next chapter. */
uint32_t chapter_rest_place(const struct chapter_rest *, rank_t, uint32_t number);

/* Whether it is told again. */
bool chapter_rest_tells(const struct chapter_rest *, struct op_name);

#endif
