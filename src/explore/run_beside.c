/*
 * run_beside -- what an option leads to is announced to the runner before it is taken; and what comes next is begun, to run beside it.
 */
#include "explore/search.h"

/* Takes an option in a copy of the state; false: something had to be asked for, and was not. */
static bool try_option(struct explorer *x, const struct state *from, const struct option *option)
{
    struct state *state = state_clone(&x->game, from);
    bool known = menu_take(&x->game, state, option) == 0;

    x->game.tree.failed = false;
    state_free(&x->game, state);
    return known;
}

/* Whether an option leads to nothing new.  A cancel may teach us something, and is not tried. */
static bool leads_to_known(struct explorer *x, const struct state *from, const struct option *option)
{
    bool known;

    if (x->game.tree.op.at[option->op].op->kind == OP_CANCEL)
        return false;
    x->game.tree.trying = true;
    known = try_option(x, from, option);
    x->game.tree.trying = false;
    return known;
}

void search_announce(struct explorer *x, const struct state *from, uint32_t step, const struct option *option)
{
    const struct runner *runner = &x->game.tree.runner;

    if (!runner->announce || leads_to_known(x, from, option))
        return;
    search_find_path(x, step);
    account_for_path(x);
    vec_push(&x->decisions, account_decision(x, option->op, option->choice));
    x->account.decisions = x->decisions.n;
    x->account.decision = x->decisions.at;
    runner->announce(runner->data, &x->account);
}

/* What an option leads to is begun; true also if there is nothing to run. */
static bool begin_option(struct explorer *x, const struct frame *frame, const struct option *option)
{
    struct tree *tree = &x->game.tree;

    if (tree->op.at[option->op].op->kind == OP_CANCEL)
        return true;
    search_announce(x, frame->state, frame->step, option);
    tree->ahead = true;
    if (try_option(x, frame->state, option))
        tree->begun = true;
    tree->ahead = false;
    return tree->begun;
}

/* Begins what an errand leads to; how much that is. */
static uint32_t begin_errand(struct explorer *x, struct errand *errand)
{
    struct frame frame = {.state = errand->state, .step = errand->step};

    errand->begun = true;
    for (uint32_t i = 0; i < errand->n; i++) {
        struct option option;

        menu_fill(&x->menu, &x->game, errand->state);
        option = *search_find_option(&x->menu, x->agenda.pick.at[errand->first + i]);
        begin_option(x, &frame, &option);
    }
    return errand->n;
}

/* The same for errands that are about to be taken and know their state; they lie near the top, in whichever order. */
static void begin_errands(struct explorer *x, uint32_t begun)
{
    size_t turns = x->agenda.turns.n;

    for (size_t i = 0; i < turns && i < 2 * (size_t)x->options.jobs && begun < x->options.jobs; i++) {
        struct errand *errand = agenda_coming(&x->agenda, i, x->level);

        if (errand && errand->state && !errand->begun)
            begun += begin_errand(x, errand);
    }
}

/*
 * To look what there is to begin takes as long as a decision.  Where nothing had to be run for many of them there will be little: nobody looks until
 * something is.
 */
static bool pays_to_look_ahead(struct explorer *x)
{
    enum { MANY = 64 };

    if (x->segments_seen != x->game.tree.segments)
        x->known_since = x->result.steps;
    x->segments_seen = x->game.tree.segments;
    return x->result.steps - x->known_since < MANY;
}

/* Begins what comes next, as much as may run beside. */
void search_begin_next_runs(struct explorer *x)
{
    uint32_t begun = 1;

    if (!pays_to_look_ahead(x))
        return;
    for (size_t f = x->frame.n; f-- > 0 && begun < x->options.jobs;) {
        struct frame *frame = &x->frame.at[f];

        for (size_t i = frame->until; i-- > frame->first && begun < x->options.jobs; begun++)
            if (!x->pending.at[i].begun)
                x->pending.at[i].begun = begin_option(x, frame, &x->pending.at[i]);
    }
    begin_errands(x, begun);
}
