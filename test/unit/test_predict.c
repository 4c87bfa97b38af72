/* The border to SAT solvers, counting, proofs, and what prediction says of a few programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "predict/predict.h"

static uint64_t seed = 88172645463325252;

static unsigned draw(unsigned below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 11) % below);
}

/* ---- solvers ---- */

static void add_random(struct sat *a, struct sat *b, int variables)
{
    int clause[3];
    for (int i = 0; i < 3; i++)
        clause[i] = (1 + (int)draw((unsigned)variables)) * (draw(2) ? 1 : -1);
    sat_add(a, clause, 3);
    sat_add(b, clause, 3);
}

/* Formulas that grow, with assumptions: both solvers say the same, and models are models. */
static void solvers_agree(void **state)
{
    enum { VARIABLES = 8 };
    int yes = 0, no = 0;
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct sat *a = sat_new(&sat_cadical), *b = sat_new(&sat_small);
        for (int v = 0; v < VARIABLES; v++)
            assert_int_equal(sat_variable(a), sat_variable(b));
        for (int i = 0; i < 50; i++) {
            add_random(a, b, VARIABLES);
            int assumed = (1 + (int)draw(VARIABLES)) * (draw(2) ? 1 : -1);
            sat_assume(a, assumed);
            sat_assume(b, assumed);
            enum sat_answer answer = sat_solve(a, -1);
            assert_int_equal(answer, sat_solve(b, -1));
            if (answer == SAT_YES) {
                assert_true(sat_value(a, assumed) && sat_value(b, assumed));
                add_random(a, b, VARIABLES); /* the answer can still be looked at */
                assert_true(sat_value(a, assumed) && !sat_value(a, -assumed));
                yes++;
            } else {
                no++;
            }
        }
        assert_int_equal(sat_count(a).questions, 50);
        sat_free(a);
        sat_free(b);
    }
    assert_true(yes > 100 && no > 100);
}

static void failed_assumptions(void **state)
{
    struct sat *sat = sat_new(&sat_cadical);
    int a = sat_variable(sat), b = sat_variable(sat), c = sat_variable(sat);
    (void)state;
    sat_add(sat, (int[]){-a, -b}, 2);
    sat_assume(sat, c);
    sat_assume(sat, a);
    sat_assume(sat, b);
    assert_int_equal(sat_solve(sat, -1), SAT_NO);
    assert_true(sat_failed(sat, a) && sat_failed(sat, b) && !sat_failed(sat, c));
    assert_int_equal(sat_solve(sat, -1), SAT_YES);
    sat_free(sat);
}

/* ---- counting: every assignment of up to seven literals ---- */

static void counts_are_right(void **state)
{
    (void)state;
    for (int n = 1; n <= 7; n++)
        for (size_t most = 1; most <= (size_t)n + 1; most++) {
            struct sat *sat = sat_new(&sat_cadical);
            struct formula f = {.sat = sat};
            int literal[7], least[8];
            for (int i = 0; i < n; i++)
                literal[i] = sat_variable(sat);
            formula_count(&f, literal, (size_t)n, most, least);
            for (unsigned set = 0; set < 1u << n; set++) {
                for (int i = 0; i < n; i++)
                    sat_assume(sat, set & 1u << i ? literal[i] : -literal[i]);
                assert_int_equal(sat_solve(sat, -1), SAT_YES);
                for (size_t k = 0; k < most; k++)
                    assert_int_equal(formula_holds(&f, least[k]), __builtin_popcount(set) > (int)k);
            }
            formula_release(&f);
            sat_free(sat);
        }
}

static void one_at_most(void **state)
{
    (void)state;
    for (int n = 2; n <= 9; n++) {
        struct sat *sat = sat_new(&sat_cadical);
        struct formula f = {.sat = sat};
        int literal[9];
        for (int i = 0; i < n; i++)
            literal[i] = sat_variable(sat);
        formula_one(&f, literal, (size_t)n);
        for (unsigned set = 0; set < 1u << n; set++) {
            for (int i = 0; i < n; i++)
                sat_assume(sat, set & 1u << i ? literal[i] : -literal[i]);
            assert_int_equal(sat_solve(sat, -1) == SAT_YES, __builtin_popcount(set) <= 1);
        }
        formula_release(&f);
        sat_free(sat);
    }
}

/* ---- programs ---- */

static void add(struct execution *e, rank_t r, struct op op)
{
    op.size = sizeof op;
    op.context = 1;
    op.flags |= OPF_BLOCKING;
    execution_add(e, r, &op);
}

static void begin(struct execution *e, int ranks)
{
    struct {
        struct op op;
        struct op_group group;
        rank_t member[8];
    } world = {.op = {.size = sizeof world, .kind = OP_CONTEXT, .context = 1},
               .group = {.members = (uint32_t)ranks, .first_group = (uint32_t)ranks}};
    for (int i = 0; i < ranks; i++)
        world.group.member[i] = i;
    execution_init(e, ranks);
    for (int r = 0; r < ranks; r++) {
        execution_add(e, r, &world.op);
        e->rank[r].ended = true;
    }
}

static void sends(struct execution *e, rank_t r, rank_t to)
{
    add(e, r, (struct op){.kind = OP_SEND, .peer = to});
}

static void receives(struct execution *e, rank_t r, rank_t from)
{
    add(e, r, (struct op){.kind = OP_RECV, .peer = from});
}

static struct prediction ask(struct execution *e, struct program *p, struct buffering buffering)
{
    program_init(p, e, true);
    return predict(p, &(struct prediction_options){.buffering = buffering, .minimal = true});
}

static void make_dtg(struct execution *e)
{
    begin(e, 5);
    receives(e, 0, RANK_ANY);
    sends(e, 0, 3);
    receives(e, 0, RANK_ANY);
    sends(e, 1, 0);
    sends(e, 1, 3);
    receives(e, 2, RANK_ANY);
    sends(e, 2, 0);
    receives(e, 3, 1);
    receives(e, 3, 0);
    sends(e, 4, 2);
}

/* The deadlock comes with a minimal choice: both sends that hold somebody up, and nothing has to be buffered. */
static void dtg(void **state)
{
    struct execution e;
    struct program p;
    (void)state;
    make_dtg(&e);
    struct prediction got = ask(&e, &p, (struct buffering){.any = true});
    assert_int_equal(got.verdict, PREDICTED_DEADLOCK);
    assert_int_equal(got.stuck.n, 3);
    assert_int_equal(got.held.n, 2);
    assert_int_equal(got.carried.n, 0);
    prediction_release(&got);
    program_release(&p);
    got = ask(&e, &p, (struct buffering){.slack = SLACK_INFINITE});
    assert_int_equal(got.verdict, PREDICTED_NONE);
    prediction_release(&got);
    program_release(&p);
    execution_release(&e);
}

/* Of a rank that did not end nobody knows what it would do: only where it is stuck itself is there a deadlock. */
static void open_ends(void **state)
{
    struct execution e;
    struct program p;
    (void)state;
    for (int ended = 0; ended < 2; ended++) {
        begin(&e, 2);
        receives(&e, 0, 1);
        e.rank[1].ended = ended;
        struct prediction got = ask(&e, &p, (struct buffering){.any = true});
        assert_int_equal(got.verdict, ended ? PREDICTED_DEADLOCK : PREDICTED_NONE);
        prediction_release(&got);
        program_release(&p);
        execution_release(&e);
    }
}

/* Receives in a row are one slot; long rows of pairs stay linear. */
static void sizes(void **state)
{
    struct execution e;
    struct program p;
    (void)state;
    begin(&e, 8);
    for (int round = 0; round < 500; round++) {
        for (int r = 1; r < 8; r++) {
            sends(&e, 0, r);
            receives(&e, r, 0);
            sends(&e, r, 0);
        }
        for (int r = 1; r < 8; r++)
            receives(&e, 0, RANK_ANY);
    }
    struct prediction got = ask(&e, &p, (struct buffering){.any = true});
    assert_int_equal(got.verdict, PREDICTED_NONE);
    assert_int_equal(p.slot.n, 500 * 8);
    assert_int_equal(got.pairs, 500 * 14);
    prediction_release(&got);
    program_release(&p);
    execution_release(&e);
}

/* ---- proofs ---- */

/* Does unit propagation alone refute the clauses (each ended by 0) with this one denied? */
static bool follows(const literals *clauses, const int *denied, size_t n, int variables)
{
    signed char *value = calloc((size_t)variables + 1, 1);
    bool changed = true, refuted = false;
    for (size_t i = 0; i < n; i++)
        value[abs(denied[i])] = denied[i] > 0 ? -1 : 1;
    while (changed && !refuted) {
        int open = 0, last = 0;
        bool held = false;
        changed = false;
        for (size_t i = 0; i < clauses->n && !refuted; i++) {
            int literal = clauses->at[i];
            if (literal) {
                int v = value[abs(literal)] * (literal > 0 ? 1 : -1);
                held = held || v > 0;
                if (v == 0 && literal != last) {
                    open++;
                    last = literal;
                }
                continue;
            }
            refuted = !held && open == 0;
            if (!held && open == 1) {
                value[abs(last)] = last > 0 ? 1 : -1;
                changed = true;
            }
            open = last = 0;
            held = false;
        }
    }
    free(value);
    return refuted;
}

/* Every clause of a proof follows from those before it by unit propagation, and the last is empty. */
static void proofs_hold(void **state)
{
    char *dimacs = NULL, *proof = NULL;
    size_t length;
    struct execution e;
    struct program p;
    (void)state;
    make_dtg(&e);
    program_init(&p, &e, false); /* the plain formula takes more than propagation */
    struct prediction_options options = {.encoding = ENCODING_PLAIN, .buffering.slack = SLACK_INFINITE};
    options.dimacs = open_memstream(&dimacs, &length);
    options.proof = open_memstream(&proof, &length);
    struct prediction got = predict(&p, &options);
    fclose(options.dimacs);
    fclose(options.proof);
    assert_int_equal(got.verdict, PREDICTED_NONE);
    literals clauses = {0};
    char *line = strstr(dimacs, "p cnf ");
    assert_non_null(line);
    int variables = atoi(line + 6);
    char *next = strchr(line, '\n') + 1, *word;
    for (word = strtok(next, " \n"); word; word = strtok(NULL, " \n"))
        vec_push(&clauses, atoi(word));
    size_t start = clauses.n;
    int lemmas = 0;
    for (word = strtok(proof, " \n"); word; word = strtok(NULL, " \n")) {
        vec_push(&clauses, atoi(word));
        if (clauses.at[clauses.n - 1] != 0)
            continue;
        literals before = {.at = clauses.at, .n = start};
        assert_true(follows(&before, clauses.at + start, clauses.n - 1 - start, variables));
        start = clauses.n;
        lemmas++;
    }
    assert_true(lemmas > 0);
    assert_true(clauses.at[clauses.n - 1] == 0 && clauses.at[clauses.n - 2] == 0); /* the last is empty */
    vec_release(&clauses);
    free(dimacs);
    free(proof);
    prediction_release(&got);
    program_release(&p);
    execution_release(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_agree),
        cmocka_unit_test(failed_assumptions),
        cmocka_unit_test(counts_are_right),
        cmocka_unit_test(one_at_most),
        cmocka_unit_test(dtg),
        cmocka_unit_test(open_ends),
        cmocka_unit_test(sizes),
        cmocka_unit_test(proofs_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
