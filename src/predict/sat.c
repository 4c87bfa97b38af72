#include "predict/sat.h"

#include <limits.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/die.h"
#include "base/log.h"
#include "base/mem.h"

struct sat {
    const struct sat_solver *solver;
    void *state;          /* owns; of the solver */
    VEC(int) clauses;     /* all of them, each ended by 0 */
    VEC(int) assumptions; /* for the next question */
    VEC(int) failed;      /* of the last one */
    VEC(bool) model;      /* by variable */
    VEC(bool) kept;       /* an earlier one */
    enum sat_answer answer;
    struct sat_count count;
};

struct sat *sat_new(const struct sat_solver *solver)
{
    struct sat *sat = xcalloc(1, sizeof *sat);
    sat->solver = solver;
    sat->state = solver->open();
    return sat;
}

void sat_free(struct sat *sat)
{
    sat->solver->close(sat->state);
    vec_release(&sat->clauses);
    vec_release(&sat->assumptions);
    vec_release(&sat->failed);
    vec_release(&sat->model);
    vec_release(&sat->kept);
    free(sat);
}

int sat_variable(struct sat *sat)
{
    if (sat->count.variables >= INT_MAX / 2)
        die("the formula has more variables than a solver can name");
    return (int)++sat->count.variables;
}

static void check_literal(const struct sat *sat, int literal)
{
    if (literal == 0 || literal == INT_MIN || abs(literal) > sat->count.variables)
        BUG("literal %d of %lld variables", literal, (long long)sat->count.variables);
}

void sat_add(struct sat *sat, const int *literals, int n)
{
    for (int i = 0; i < n; i++) {
        check_literal(sat, literals[i]);
        sat->solver->add(sat->state, literals[i]);
        vec_push(&sat->clauses, literals[i]);
    }
    sat->solver->add(sat->state, 0);
    vec_push(&sat->clauses, 0);
    sat->count.clauses++;
    sat->count.literals += n;
}

void sat_assume(struct sat *sat, int literal)
{
    check_literal(sat, literal);
    vec_push(&sat->assumptions, literal);
}

static void keep_model(struct sat *sat)
{
    vec_clear(&sat->model);
    vec_push(&sat->model, false);
    for (int v = 1; v <= sat->count.variables; v++)
        vec_push(&sat->model, sat->solver->value(sat->state, v));
}

static void keep_failed(struct sat *sat)
{
    vec_clear(&sat->failed);
    for (size_t i = 0; i < sat->assumptions.n; i++)
        if (sat->solver->failed(sat->state, sat->assumptions.at[i]))
            vec_push(&sat->failed, sat->assumptions.at[i]);
}

enum sat_answer sat_solve(struct sat *sat, int64_t conflicts)
{
    int64_t start = microseconds();
    for (size_t i = 0; i < sat->assumptions.n; i++)
        sat->solver->assume(sat->state, sat->assumptions.at[i]);
    sat->answer = (enum sat_answer)sat->solver->solve(sat->state, conflicts);
    if (sat->answer == SAT_YES)
        keep_model(sat);
    else if (sat->answer == SAT_NO)
        keep_failed(sat);
    LOG(predict, "question %llu with %zu assumptions: %s, after %lld us", (unsigned long long)sat->count.questions + 1,
        sat->assumptions.n, sat->answer == SAT_YES ? "yes" : sat->answer == SAT_NO ? "no" : "not decided",
        (long long)(microseconds() - start));
    vec_clear(&sat->assumptions);
    sat->count.questions++;
    sat->count.microseconds += microseconds() - start;
    return sat->answer;
}

bool sat_value(const struct sat *sat, int literal)
{
    check_literal(sat, literal);
    if (sat->answer != SAT_YES || (size_t)abs(literal) >= sat->model.n)
        BUG("no model has a value for %d", literal);
    return sat->model.at[abs(literal)] == (literal > 0);
}

void sat_keep_model(struct sat *sat)
{
    if (sat->answer != SAT_YES)
        BUG("there is no model to keep");
    vec_release(&sat->kept);
    vec_copy(&sat->kept, &sat->model);
}

void sat_go_back_to_kept(struct sat *sat)
{
    if (!sat->kept.n)
        BUG("no model was kept");
    vec_release(&sat->model);
    vec_copy(&sat->model, &sat->kept);
    sat->answer = SAT_YES;
}

bool sat_failed(const struct sat *sat, int literal)
{
    if (sat->answer != SAT_NO)
        BUG("nothing has failed");
    for (size_t i = 0; i < sat->failed.n; i++)
        if (sat->failed.at[i] == literal)
            return true;
    return false;
}

struct sat_count sat_count(const struct sat *sat)
{
    return sat->count;
}

void sat_write(const struct sat *sat, FILE *out, const char *comment)
{
    fprintf(out, "%sp cnf %lld %lld\n", comment, (long long)sat->count.variables, (long long)sat->count.clauses);
    for (size_t i = 0; i < sat->clauses.n; i++)
        fprintf(out, "%d%c", sat->clauses.at[i], sat->clauses.at[i] ? ' ' : '\n');
}

static int write_learnt(void *data, const int *clause)
{
    for (; *clause; clause++)
        fprintf(data, "%d ", *clause);
    return fputs("0\n", data);
}

bool sat_prove(const struct sat *sat, FILE *out)
{
    if (!sat->solver->teach)
        return false;
    void *state = sat->solver->open();
    sat->solver->teach(state, out, write_learnt);
    for (size_t i = 0; i < sat->clauses.n; i++)
        sat->solver->add(state, sat->clauses.at[i]);
    bool shown = sat->solver->solve(state, -1) == SAT_NO;
    if (shown)
        fputs("0\n", out);
    sat->solver->close(state);
    return shown;
}
