/*
 * small -- a solver too simple to be wrong: try both values of each variable in
 * turn, give up where a clause is false, take what a clause forces.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "predict/sat.h"

struct small {
    VEC(int) clauses; /* each ended by 0 */
    VEC(int) assumptions;
    VEC(signed char) value; /* by variable: 1, -1, or 0 for not yet */
};

static void *small_open(void)
{
    return xcalloc(1, sizeof(struct small));
}

static void small_close(void *state)
{
    struct small *s = state;
    vec_release(&s->clauses);
    vec_release(&s->assumptions);
    vec_release(&s->value);
    free(s);
}

static void know(struct small *s, int literal)
{
    while (s->value.n <= (size_t)abs(literal))
        vec_push(&s->value, 0);
}

static void small_add(void *state, int literal)
{
    struct small *s = state;
    know(s, literal);
    vec_push(&s->clauses, literal);
}

static void small_assume(void *state, int literal)
{
    struct small *s = state;
    know(s, literal);
    vec_push(&s->assumptions, literal);
}

static int literal_value(const struct small *s, int literal)
{
    int value = s->value.at[abs(literal)];
    return literal > 0 ? value : -value;
}

/* 1: a literal was forced; 0: nothing to do; -1: a clause is false. */
static int force(struct small *s)
{
    int open = 0, last = 0, held = 0;
    for (size_t i = 0; i < s->clauses.n; i++) {
        int literal = s->clauses.at[i];
        if (literal) {
            held |= literal_value(s, literal) > 0;
            if (literal_value(s, literal) == 0) {
                open++;
                last = literal;
            }
            continue;
        }
        if (!held && open == 0)
            return -1;
        if (!held && open == 1) {
            s->value.at[abs(last)] = last > 0 ? 1 : -1;
            return 1;
        }
        open = held = 0;
    }
    return 0;
}

static bool search_values(struct small *s)
{
    signed char *before = xmemdup(s->value.at, s->value.n, sizeof *before);
    int forced;
    bool found = false;
    while ((forced = force(s)) > 0)
        ;
    size_t v = 1;
    while (v < s->value.n && s->value.at[v])
        v++;
    if (forced == 0 && v >= s->value.n) {
        found = true;
    } else if (forced == 0) {
        s->value.at[v] = 1;
        found = search_values(s);
        if (!found) {
            s->value.at[v] = -1;
            found = search_values(s);
        }
    }
    for (size_t i = 0; !found && i < s->value.n; i++)
        s->value.at[i] = before[i];
    free(before);
    return found;
}

static int small_solve(void *state, int64_t conflicts)
{
    struct small *s = state;
    (void)conflicts;
    for (size_t i = 0; i < s->value.n; i++)
        s->value.at[i] = 0;
    bool possible = true;
    for (size_t i = 0; i < s->assumptions.n; i++) {
        int literal = s->assumptions.at[i];
        possible = possible && literal_value(s, literal) >= 0;
        s->value.at[abs(literal)] = literal > 0 ? 1 : -1;
    }
    vec_clear(&s->assumptions);
    return possible && search_values(s) ? SAT_YES : SAT_NO;
}

static bool small_value(void *state, int variable)
{
    const struct small *s = state;
    return (size_t)variable < s->value.n && s->value.at[variable] > 0;
}

/* All assumptions together, if nothing better is known. */
static bool small_failed(void *state, int literal)
{
    (void)state, (void)literal;
    return true;
}

const struct sat_solver sat_small = {
    small_open, small_close, small_add, small_assume, small_solve, small_value, small_failed, NULL,
};
