/*
 * stray -- a run decided at random, between what the search does in order.
 *
 * In a wide program the first levels are full of runs that are like the first one, and what goes wrong far from it comes late.
 * A run at random is nowhere for sure, but soon everywhere a little.  It is part of the search: states that
 * it is the first to reach are noted as others are, and what it does not decide in them is left as errands.
 * Polls that say no at random make it long: it is given up if it takes too much of the work.
 */
#include "explore/search.h"

/* Where the run is. */
struct walk {
    struct state *state; /* owns */
    uint32_t step;
    bool new;            /* nobody was here before */
    bool foreign;        /* it came here by other histories than those of `step`, which merging made the same: see go_home */
    double share;        /* of the search, that nobody else has */
    uint64_t until;      /* search_work after which it is given up, to be gone on with in order */
};

/* A state that nobody has planned before: all that can be decided in it is left for later. */
static struct stretch plan_new_state(struct explorer *x, struct walk *walk)
{
    struct stretch plan = search_plan(x, walk->state, walk->step);
    struct frame frame = {.state = walk->state, .step = walk->step};
    uint32_t options = plan.until - plan.first;

    frame.share = options ? walk->share / options : 0;
    if (options)
        search_defer(x, &frame, &x->menu.option.at[plan.first], options, true);
    return plan;
}

/* Notes that it has come from one state to another by a decision; `mine`: it was left for later, and is done now. */
static void arrive(struct explorer *x, struct walk *walk, struct pick pick, bool mine)
{
    cost_t cost = search_cost(x, walk->step) + search_price(x, pick);
    uint32_t known = known_states_find(&x->known, search_key(x, walk->state, cost));
    size_t steps = x->step.n;

    walk->step = known && !mine ? known : search_note(x, walk->state, (struct step){walk->step, pick});
    walk->new = x->step.n > steps;
    walk->foreign = !walk->new && tree_has_merged(&x->game.tree);
    search_note_cost(x, walk->step, cost);
    if (walk->new)
        return;
    x->covered += walk->share;
    walk->share = 0;
}

static struct stretch plan_state(struct explorer *x, struct walk *walk)
{
    return walk->new ? plan_new_state(x, walk) : search_plan_again(x, walk->state, walk->step);
}

/* Puts a state in the place of the one where it is, which may be gone. */
static int stand_in(struct explorer *x, struct walk *walk, struct state *state)
{
    if (walk->state)
        state_free_with_tight(&x->game, walk->state);
    walk->state = state;
    return state ? 1 : -1;
}

/*
 * Operations that are pending have the numbers of the histories in which they were posted.  A step is told by those of its own
 * way.  So a state to which merged histories led is gone on from as it is only as long as that leads to states that are known.
 * Else it is reached once more, by the way that is noted, and the option there in the same place of the menu is taken.
 * 0: there is none; -1: the runner failed.
 */
static int go_home(struct explorer *x, struct walk *walk, uint32_t option)
{
    struct stretch plan;

    if (stand_in(x, walk, search_reach(x, walk->step)) < 0)
        return -1;
    walk->foreign = false;
    plan = plan_state(x, walk);
    return option >= plan.first && option < plan.until;
}

/* Takes an option of a state that is foreign: 1; 0: that leads to something new; -1: the runner failed. */
static int wander_abroad(struct explorer *x, struct walk *walk, const struct option *option)
{
    struct pick pick = option_pick(option);
    uint32_t known;

    x->result.retraced++; /* who spins may be on its way for long and come to nothing new: that has an end, too */
    if (search_take(x, walk->state, option) < 0) {
        walk->state = NULL;
        return -1;
    }
    search_let_go_if_safe(x, walk->state);
    known = known_states_find(&x->known, search_key(x, walk->state, search_cost(x, walk->step) + search_price(x, pick)));
    if (!known)
        return 0;
    walk->step = known;
    return 1;
}

/* Decides something; 0: it was the end, or is none of our business any more; -1: the runner failed. */
static int wander_on(struct explorer *x, struct walk *walk)
{
    struct stretch plan = plan_state(x, walk);
    struct option option;
    uint32_t number;
    struct pick pick;
    double share;
    int done;

    if (plan.first == plan.until) {
        x->covered += walk->share;
        if (walk->new)
            search_tell(x, walk->state, walk->step);
        return 0;
    }
    if (search_is_over(x) || search_work(x) > walk->until)
        return 0;
    number = plan.first + search_random(x, plan.until - plan.first);
    option = x->menu.option.at[number];
    if (walk->foreign) {
        done = wander_abroad(x, walk, &option);
        if (done != 0 || search_has_learned(x))
            return done;
        done = go_home(x, walk, number);
        if (done <= 0)
            return done;
        option = x->menu.option.at[number];
    }
    pick = option_pick(&option);
    share = agenda_strike(&x->agenda, walk->step, &pick);
    walk->share = share > 0 ? share : 0;
    x->in_hand = (struct step){walk->step, pick};
    x->game.disputes.step = walk->step;
    search_announce(x, walk->state, walk->step, &option);
    x->result.steps++;
    if (search_take(x, walk->state, &option) < 0) {
        walk->state = NULL;
        return -1;
    }
    search_let_go_if_safe(x, walk->state);
    if (search_has_learned(x))
        return 0;
    arrive(x, walk, pick, share >= 0);
    return 1;
}

int search_stray(struct explorer *x, uint64_t most)
{
    struct walk walk = {.state = search_begin(x), .step = 1, .until = search_work(x) + most};
    int more = walk.state ? 1 : -1;

    if (walk.state)
        search_let_go_if_safe(x, walk.state);
    while (more > 0)
        more = wander_on(x, &walk);
    if (walk.state)
        state_free_with_tight(&x->game, walk.state);
    return more;
}
