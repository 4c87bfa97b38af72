/*
 * formula -- clauses as sentences: constants, conjunctions, counts.
 *
 * Literals may be LIT_TRUE and LIT_FALSE as well, which never reach the solver: a
 * clause with the one is left out, the other is left out of a clause.
 */
#ifndef PREDICT_FORMULA_H
#define PREDICT_FORMULA_H

#include <limits.h>

#include "base/mem.h"
#include "predict/sat.h"

enum { LIT_TRUE = INT_MAX, LIT_FALSE = -INT_MAX };

struct formula {
    struct sat *sat; /* borrows */
    FILE *names;     /* borrows; NULL: nobody asks what variables mean */
    VEC(int) clause; /* being made */
};

typedef VEC(int) literals;

void formula_clause(struct formula *, const int *literals, size_t n);
#define CLAUSE(f, ...)                                                                                                 \
    formula_clause((f), (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

int formula_and(struct formula *, const int *literals, size_t n);
int formula_or(struct formula *, const int *literals, size_t n);

/* At most one of them. */
void formula_one(struct formula *, const int *literals, size_t n);

/*
 * Literals that say "at least 1", "at least 2", ... up to `most` of these hold:
 * a totalizer.  `least` must have room for `most`.
 */
void formula_count(struct formula *, const int *literals, size_t n, size_t most, int *least);

/* "c 17 matched 0.12": what a variable means, for those who read the clauses. */
void formula_name(struct formula *, int literal, const char *format, ...) __attribute__((format(printf, 3, 4)));

bool formula_holds(const struct formula *, int literal); /* in the last model */
void formula_release(struct formula *);

#endif
