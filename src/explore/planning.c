/*
 * planning -- what is to be tried in a state: one point, if the reduction says that it may be decided alone, and else everything.
 */
#include "explore/search.h"

#include "base/log.h"

static void assume(struct explorer *x, uint32_t step)
{
    const struct reducer *reducer = &x->reducer;

    if (!reducer->doubt.n)
        return;
    vec_push(&x->assumed, (struct assumption){step, false, (uint32_t)reducer->doubt.n, x->doubts.n});
    for (size_t i = 0; i < reducer->doubt.n; i++)
        vec_push(&x->doubts, reducer->doubt.at[i]);
}

const struct reduction *search_reduction(const struct explorer *x)
{
    if (x->options.stepwise)
        return &reduction_none;
    return x->options.reduction ? x->options.reduction : &reduction_one_point;
}

/* The point to decide alone, of those that the menu has; -1: all, or there is none. */
static int choose_point(struct explorer *x, const struct state *state, uint32_t step)
{
    struct menu *menu = &x->menu;

    x->in_hand = (struct step){.from = step};
    x->game.disputes.step = step;
    x->game.disputes.planning = true;
    menu_fill(menu, &x->game, state);
    x->game.disputes.planning = false;
    return menu->point.n ? search_reduction(x)->choose(&x->reducer, &x->game, state, menu) : -1;
}

static struct stretch stretch_of(const struct menu *menu, int point)
{
    const struct point *chosen = point < 0 ? NULL : &menu->point.at[point];

    return chosen ? (struct stretch){chosen->first, chosen->first + chosen->n}
                  : (struct stretch){0, menu->planned};
}

/* What is tried, with what departs from the first of it marked. */
static struct stretch plan_of(struct menu *menu, int point)
{
    struct stretch plan = stretch_of(menu, point);

    for (uint32_t i = plan.first; i < plan.until; i++)
        menu->option.at[i].departs = i > plan.first;
    return plan;
}

struct stretch search_plan_again(struct explorer *x, const struct state *state, uint32_t step)
{
    return plan_of(&x->menu, choose_point(x, state, step));
}

struct stretch search_plan(struct explorer *x, const struct state *state, uint32_t step)
{
    int point = choose_point(x, state, step);
    struct menu *menu = &x->menu;

    if (point >= 0) {
        assume(x, step);
        LOG(explore, "state %u: the %u options of rank %d's point, of %zu points, resting on %zu assumptions", step,
            menu->point.at[point].n, menu->point.at[point].rank, menu->point.n, x->reducer.doubt.n);
    } else if (menu->point.n) {
        x->result.whole++;
        LOG(explore, "state %u: all %zu options of %zu points", step, (size_t)menu->planned, menu->point.n);
    }
    search_note_later_rounds(x, state, step, point);
    return plan_of(menu, point);
}

struct stretch search_plan_everything(struct explorer *x, const struct state *state)
{
    menu_fill(&x->menu, &x->game, state);
    x->result.whole++;
    return plan_of(&x->menu, -1);
}
