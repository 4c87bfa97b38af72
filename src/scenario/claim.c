#include "scenario/claim.h"

#include <string.h>

bool claim_is_about_ends(const struct claim *claim)
{
    return !claim->matches && !claim->events;
}

/* One order of the events. */
struct telling {
    const struct claim *claim;
    const struct ending *ending;
    uint32_t place[CLAIM_EVENTS]; /* in the order, from 1; 0: does not happen */
};

static bool event_is_before(const struct telling *t, uint32_t first, uint32_t then)
{
    return t->place[first] && (!t->place[then] || t->place[first] < t->place[then]);
}

static bool any_unsafe(const struct ending *ending)
{
    for (rank_t r = 0; r < ending->scenario->ranks; r++)
        if (ending->machine[r]->unsafe)
            return true;
    return false;
}

static int32_t eval(const struct telling *t, expr_id id)
{
    const struct ending *ending = t->ending;
    const struct expr *e = &ending->scenario->exprs.at[id];
    switch (e->kind) {
    case EXPR_NUMBER:
        return e->number;
    case EXPR_VARIABLE:
        return ending->machine[e->rank]->value[e->index];
    case EXPR_NOT:
        return !eval(t, e->left);
    case EXPR_DEADLOCK:
        return ending->stuck;
    case EXPR_WANT:
        return ending->want;
    case EXPR_ERROR:
        return ending->error;
    case EXPR_UNSAFE:
        return any_unsafe(ending);
    case EXPR_MATCHES:
        return story_met(ending->story, e);
    case EXPR_HAPPENS:
        return t->place[e->left] != 0;
    case EXPR_BEFORE:
        return event_is_before(t, e->left, e->right);
        EXPR_OPERATOR_CASES
        break;
    }
    return expr_combine(e->kind, eval(t, e->left), eval(t, e->right));
}

/* ---- all orders ---- */

struct orders {
    struct telling telling;
    struct judgement judgement;
    uint32_t n;                  /* how many events happen */
    uint32_t event[CLAIM_EVENTS]; /* the events that happen */
    bool before[CLAIM_EVENTS][CLAIM_EVENTS]; /* by number of the claim */
    struct event_order so_far;
};

static void tell_order(struct orders *o)
{
    bool holds = eval(&o->telling, o->telling.claim->root);
    if (!o->judgement.holds[holds])
        o->judgement.order[holds] = o->so_far;
    o->judgement.holds[holds] = true;
}

static bool may_be_next(const struct orders *o, uint32_t event)
{
    if (o->telling.place[event])
        return false;
    for (uint32_t i = 0; i < o->n; i++)
        if (!o->telling.place[o->event[i]] && o->before[o->event[i]][event])
            return false;
    return true;
}

static void try_orders(struct orders *o)
{
    if (o->judgement.holds[0] && o->judgement.holds[1])
        return;
    if (o->so_far.n == o->n) {
        tell_order(o);
        return;
    }
    for (uint32_t i = 0; i < o->n; i++) {
        uint32_t event = o->event[i];
        if (!may_be_next(o, event))
            continue;
        o->so_far.event[o->so_far.n++] = event;
        o->telling.place[event] = o->so_far.n;
        try_orders(o);
        o->telling.place[event] = 0;
        o->so_far.n--;
    }
}

static void find_events(struct orders *o, const struct claim *claim, const struct story *story)
{
    moment at[CLAIM_EVENTS];
    for (uint32_t i = 0; i < claim->events; i++) {
        at[i] = story_find(story, &claim->event[i]);
        if (at[i])
            o->event[o->n++] = i;
    }
    for (uint32_t i = 0; i < o->n; i++) {
        uint8_t *marks = xcalloc(story->moment.n, 1);
        story_mark_after(story, at[o->event[i]], marks);
        for (uint32_t k = 0; k < o->n; k++)
            o->before[o->event[i]][o->event[k]] = marks[at[o->event[k]]];
        free(marks);
    }
}

struct judgement claim_judge(const struct claim *claim, const struct ending *ending)
{
    struct orders orders = {.telling = {claim, ending, {0}}};
    if (claim->events)
        find_events(&orders, claim, ending->story);
    try_orders(&orders);
    return orders.judgement;
}
