#include "predict/predict.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/die.h"
#include "predict/bounds.h"
#include "predict/confirm.h"
#include "predict/mopper.h"

/* ---- a model that is a run ---- */

struct solver {
    struct ours ours;
    struct order order;
    literals assumptions;
    VEC(struct event) kept; /* the run found last */
    int64_t conflicts;
};

static enum sat_answer find_run(struct solver *s)
{
    for (;;) {
        for (size_t i = 0; i < s->assumptions.n; i++)
            sat_assume(s->ours.formula->sat, s->assumptions.at[i]);
        enum sat_answer answer = sat_solve(s->ours.formula->sat, s->conflicts ? s->conflicts : -1);
        if (answer != SAT_YES)
            return answer;
        if (order_find(&s->order, &s->ours)) {
            sat_keep_model(s->ours.formula->sat);
            vec_release(&s->kept);
            vec_copy(&s->kept, &s->order.event);
            return SAT_YES;
        }
        if (deadline_is_over())
            return SAT_UNKNOWN;
    }
}

/* Goes back to the run found last. */
static void find_kept(struct solver *s)
{
    sat_go_back_to_kept(s->ours.formula->sat);
    vec_release(&s->order.event);
    vec_copy(&s->order.event, &s->kept);
}

/* ---- what to tell of it ---- */

/* An operation that is free to be buffered or loose: send or part. */
struct witness_choice {
    enum thing thing;
    uint32_t id;
    int literal; /* buffered, or loose */
};

static bool is_free_literal(int literal)
{
    return literal != LIT_TRUE && literal != LIT_FALSE;
}

static bool solver_holds(const struct solver *s, int literal)
{
    return formula_holds(s->ours.formula, literal);
}

/* Is it waited for, in vain, in the last model? */
static bool need_holds_up(const struct solver *s, struct return_condition need)
{
    if (need.thing == THING_SEND)
        return !need.escapes && !solver_holds(s, s->ours.done[need.id]);
    return need.thing == THING_PART && !solver_holds(s, s->ours.met[need.id]) &&
           !solver_holds(s, s->ours.loose[need.id]);
}

static bool is_stuck_at(const struct solver *s, halt_t g)
{
    const struct halt *halt = &s->ours.program->halt.at[g];
    return !halt->merged && !solver_holds(s, s->ours.passed[g]) && solver_holds(s, ours_after(&s->ours, halt->before));
}

typedef VEC(struct witness_choice) choices;

/* Whether the literal is that of one in the list, the one number `without` left aside. */
static bool is_listed_but(const choices *list, int literal, size_t without)
{
    for (size_t i = 0; i < list->n; i++)
        if (i != without && list->at[i].literal == literal)
            return true;
    return false;
}

static bool is_listed_choice(const choices *list, int literal)
{
    return is_listed_but(list, literal, SIZE_MAX);
}

/* The operations that hold somebody up in this model, though they need not by M7. */
static void find_held(const struct solver *s, choices *held)
{
    const struct program *p = s->ours.program;
    vec_clear(held);
    for (size_t g = 0; g < p->halt.n; g++) {
        if (!is_stuck_at(s, (halt_t)g))
            continue;
        const struct halt *halt = &p->halt.at[g];
        for (uint32_t i = 0; i < halt->needs + halt->others; i++) {
            struct return_condition need = p->need.at[halt->first + i];
            int literal = need.thing == THING_SEND   ? s->ours.buffered[need.id]
                          : need.thing == THING_PART ? s->ours.loose[need.id]
                                                     : LIT_TRUE;
            if (is_free_literal(literal) && need_holds_up(s, need) && !is_listed_choice(held, literal))
                vec_push(held, ((struct witness_choice){need.thing, need.id, literal}));
        }
    }
}

/* All that is free is buffered and loose, but those in the list, without the one number `without`. */
static void assume_all_but(struct solver *s, const choices *list, size_t without)
{
    const struct program *p = s->ours.program;
    bool *send = xcalloc(p->send.n + 1, 1);
    for (size_t i = 0; i < list->n; i++)
        if (i != without && list->at[i].thing == THING_SEND)
            send[list->at[i].id] = true;
    vec_clear(&s->assumptions);
    for (size_t i = 0; i < p->send.n; i++)
        if (is_free_literal(s->ours.buffered[i]) && !send[i])
            vec_push(&s->assumptions, s->ours.buffered[i]);
    for (size_t i = 0; i < p->part.n; i++)
        if (is_free_literal(s->ours.loose[i]) && !is_listed_but(list, s->ours.loose[i], without))
            vec_push(&s->assumptions, s->ours.loose[i]);
    free(send);
}

/*
 * What holds nobody up may as well be buffered: more slack never stops anybody
 * earlier (L6).  First all of it: a deadlock that needs no choice of slack is told before
 * one that does.  Of the rest, each is tried without.  Leaves the model found last; if time is over or the solver
 * gives up, one that holds up more than is needed.
 */
static void minimize(struct solver *s)
{
    choices held = {0}, none = {0};
    find_held(s, &held);
    if (held.n)
        assume_all_but(s, &none, SIZE_MAX);
    if (held.n && find_run(s) == SAT_YES)
        vec_clear(&held);
    for (size_t tried = 0; tried < held.n && !deadline_is_over();) {
        assume_all_but(s, &held, tried);
        if (find_run(s) == SAT_YES) {
            find_held(s, &held);
            tried = 0;
        } else {
            tried++;
        }
    }
    assume_all_but(s, &held, SIZE_MAX);
    enum sat_answer last = find_run(s);
    if (last == SAT_UNKNOWN)
        find_kept(s);
    else if (last != SAT_YES)
        BUG("what was a deadlock is none with more slack");
    vec_release(&held);
}

/* In a slot, the receives are matched one after the other: the first that is not. */
static uint32_t current_op(const struct solver *s, halt_t g)
{
    const struct program *p = s->ours.program;
    const struct halt *halt = &p->halt.at[g];
    if (halt->needs != 1 || p->need.at[halt->first].thing != THING_SLOT)
        return halt->op;
    uint32_t id = p->need.at[halt->first].id, taken = 0;
    const struct slot *slot = &p->slot.at[id];
    for (size_t i = 0; i < s->order.event.n; i++)
        taken += s->order.event.at[i].kind == EVENT_MATCH && s->order.event.at[i].with == id;
    return slot->blocking && taken < slot->room ? p->recv.at[slot->first + taken] : halt->op;
}

/* What is received when these halts have been passed. */
static bool is_received_by(const struct slot *by, const bool *passed)
{
    return by && by->received != HALT_NEVER && (by->received == HALT_START || passed[by->received]);
}

/* Sends whose halt was passed before they were received, and parts whose halt was before all had joined. */
static void find_carried(const struct solver *s, struct prediction *out)
{
    const struct program *p = s->ours.program;
    const struct slot **by = xcalloc(p->send.n + 1, sizeof *by);
    bool *passed = xcalloc(p->halt.n + 1, 1);
    for (size_t i = 0; i < s->order.event.n; i++) {
        struct event event = s->order.event.at[i];
        if (event.kind == EVENT_MATCH)
            by[event.id] = &p->slot.at[event.with];
        if (event.kind != EVENT_PASS)
            continue;
        const struct halt *halt = &p->halt.at[event.id];
        for (uint32_t k = 0; k < halt->needs; k++) {
            struct return_condition need = p->need.at[halt->first + k];
            if (need.thing == THING_SEND && !is_received_by(by[need.id], passed) &&
                is_free_literal(s->ours.buffered[need.id]))
                vec_push(&out->carried, need.id);
            if (need.thing == THING_PART && is_free_literal(s->ours.loose[need.id]) &&
                !joins_over(s->ours.joins, s->ours.joins->full.at[need.id], passed))
                vec_push(&out->early, need.id);
        }
        passed[event.id] = true;
    }
    free(by);
    free(passed);
}

/* All parts that hold up somebody: of one collective, there may be several. */
static void tell_tight(const struct solver *s, struct prediction *out)
{
    const struct program *p = s->ours.program;
    for (size_t g = 0; g < p->halt.n; g++) {
        const struct halt *halt = &p->halt.at[g];
        for (uint32_t i = 0; i < halt->needs + halt->others && is_stuck_at(s, (halt_t)g); i++) {
            struct return_condition need = p->need.at[halt->first + i];
            if (need.thing == THING_PART && is_free_literal(s->ours.loose[need.id]) && need_holds_up(s, need))
                vec_push(&out->tight, need.id);
        }
    }
}

static void tell_predicted_run(struct solver *s, struct prediction *out)
{
    const struct program *p = s->ours.program;
    choices held = {0};
    for (size_t i = 0; i < s->order.event.n; i++)
        vec_push(&out->run, s->order.event.at[i]);
    for (size_t g = 0; g < p->halt.n; g++)
        if (is_stuck_at(s, (halt_t)g))
            vec_push(&out->stuck, ((struct stuck_rank){p->halt.at[g].rank, current_op(s, (halt_t)g)}));
    find_held(s, &held);
    for (size_t i = 0; i < held.n; i++)
        if (held.at[i].thing == THING_SEND)
            vec_push(&out->held, held.at[i].id);
    tell_tight(s, out);
    vec_release(&held);
    find_carried(s, out);
}

static void predict_ours(struct program *p, struct formula *formula, const struct prediction_options *options,
                         struct prediction *out)
{
    const struct match_query *query = options->match;
    enum predicted yes = query ? PREDICTED_MATCH : PREDICTED_DEADLOCK;
    struct joins joins;
    struct solver s = {.conflicts = options->conflicts};
    int64_t start = microseconds();
    joins_init(&joins, p);
    out->pairs = bounds_find(p, &joins, options->buffering.any ? SLACK_INFINITE : options->buffering.slack);
    ours_init(&s.ours, p, &joins, formula, options->buffering, query ? ENDS_ANYHOW : ENDS_IN_DEADLOCK);
    if (query)
        CLAUSE(formula, ours_pair(&s.ours, query->send, query->slot));
    out->encoding = microseconds() - start;
    start = microseconds();
    enum sat_answer answer = find_run(&s);
    if (answer == SAT_YES && options->minimal)
        minimize(&s);
    out->solving = microseconds() - start;
    out->verdict = answer == SAT_YES ? yes : answer == SAT_NO ? PREDICTED_NONE : PREDICTED_UNKNOWN;
    if (answer == SAT_UNKNOWN)
        out->why = deadline_is_over() ? "the time is over" : "the solver gave up";
    if (answer == SAT_YES) {
        const char *wrong = confirm_run(&s.ours, &s.order, yes == PREDICTED_DEADLOCK);
        if (wrong)
            BUG("the predicted run is none: %s", wrong);
        tell_predicted_run(&s, out);
    }
    out->circles = s.order.circles;
    vec_release(&s.assumptions);
    vec_release(&s.kept);
    order_release(&s.order);
    ours_release(&s.ours);
    joins_release(&joins);
}

struct prediction predict(struct program *p, const struct prediction_options *options)
{
    struct prediction out = {.verdict = PREDICTED_UNKNOWN};
    struct sat *sat = sat_new(options->solver ? options->solver : &sat_cadical);
    char *names = NULL;
    size_t length;
    struct formula formula = {.sat = sat, .names = options->dimacs ? open_memstream(&names, &length) : NULL};
    if (options->encoding == ENCODING_OURS)
        predict_ours(p, &formula, options, &out);
    else
        predict_mopper(p, &formula, options, &out);
    out.count = sat_count(sat);
    if (formula.names)
        fclose(formula.names);
    if (options->dimacs)
        sat_write(sat, options->dimacs, names);
    if (options->proof && out.verdict == PREDICTED_NONE && !sat_prove(sat, options->proof)) {
        if (!deadline_is_over())
            BUG("what has no model has no proof");
        out.verdict = PREDICTED_UNKNOWN;
        out.why = "the time is over, and the proof is not complete";
    }
    free(names);
    formula_release(&formula);
    sat_free(sat);
    return out;
}

void prediction_release(struct prediction *prediction)
{
    vec_release(&prediction->run);
    vec_release(&prediction->stuck);
    vec_release(&prediction->held);
    vec_release(&prediction->carried);
    vec_release(&prediction->tight);
    vec_release(&prediction->early);
}
