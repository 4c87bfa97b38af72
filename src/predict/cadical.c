/*
 * cadical -- CaDiCaL behind the border of sat.h; nothing else knows it.
 */
#include <ccadical.h>
#include <limits.h>
#include <stdlib.h>

#include "base/deadline.h"
#include "base/mem.h"
#include "predict/sat.h"

struct cadical {
    CCaDiCaL *solver;
    void *data; /* of the learner */
    int (*learnt)(void *, const int *clause);
};

static int solver_must_stop(void *nothing)
{
    (void)nothing;
    return deadline_is_over();
}

static void *cadical_open(void)
{
    struct cadical *c = xcalloc(1, sizeof *c);
    c->solver = ccadical_init();
    ccadical_set_option(c->solver, "quiet", 1);
    ccadical_set_terminate(c->solver, NULL, solver_must_stop);
    return c;
}

static void cadical_close(void *state)
{
    struct cadical *c = state;
    ccadical_release(c->solver);
    free(c);
}

static void cadical_add(void *state, int literal)
{
    ccadical_add(((struct cadical *)state)->solver, literal);
}

static void cadical_assume(void *state, int literal)
{
    ccadical_assume(((struct cadical *)state)->solver, literal);
}

static int cadical_solve(void *state, int64_t conflicts)
{
    struct cadical *c = state;
    if (conflicts >= 0)
        ccadical_limit(c->solver, "conflicts", conflicts > INT_MAX ? INT_MAX : (int)conflicts);
    return ccadical_solve(c->solver);
}

static bool cadical_value(void *state, int variable)
{
    return ccadical_val(((struct cadical *)state)->solver, variable) > 0;
}

static bool cadical_failed(void *state, int literal)
{
    return ccadical_failed(((struct cadical *)state)->solver, literal);
}

static void learn_clause(void *state, int *clause)
{
    struct cadical *c = state;
    c->learnt(c->data, clause);
}

/* Only clauses learnt from conflicts are told, so nothing may be derived in other ways; versions ignore what others have. */
static void cadical_teach(void *state, void *data, int (*learnt)(void *, const int *))
{
    static const char *const others[] = {"inprocessing", "block",  "compact",     "condition", "cover",   "decompose",
                                         "deduplicate",  "elim",   "instantiate", "probe",     "subsume", "ternary",
                                         "transred",     "vivify", "lucky",       "walk",      "chrono",  "shrink",
                                         "otfs",         "sweep",  "congruence",  "factor",    "backbone", "fastelim"};
    struct cadical *c = state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ccadical_set_option(c->solver, others[i], 0);
    c->data = data;
    c->learnt = learnt;
    ccadical_set_learn(c->solver, c, INT_MAX, learn_clause);
}

const struct sat_solver sat_cadical = {
    cadical_open,  cadical_close, cadical_add,    cadical_assume,
    cadical_solve, cadical_value, cadical_failed, cadical_teach,
};
