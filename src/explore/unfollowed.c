/*
 * unfollowed -- where the search lets go of the tight state beside a state, since no slack can do harm any more (slack_safety.h).
 */
#include "base/log.h"
#include "explore/search.h"

/*
 * Whether to ask: if the search knows the state but for what follows it, and that was so of others.  One that it knows with what follows it is one
 * state, however often it is reached.  All questions together look at a share
 * of as many states, and run a part of as many segments, as the search does, and more the more states are kept apart: counted, not timed, so that
 * what is asked does not depend on how busy the machine is.  One that goes not everywhere, but up to a bound, does not do so for this, either.
 */
static bool should_ask_for_safety(struct explorer *x, const struct state *state, cost_t cost)
{
    enum { FEW = 64 };
    struct slack_safety *safety = &x->slack_safety;
    bool always = x->options.ask_slack_always;

    if (known_states_find(&x->known, search_key(x, state, cost)))
        return false;
    safety->meets = !step_index_find(&safety->met, x->unowing.at, state->key);
    if (safety->meets && !always)
        return false;
    safety->kept_apart++;
    return (always || (safety->kept_apart > FEW && safety->kept_apart >= safety->wait_until)) && !search_has_bound(x) &&
           !x->game.tree.runner.announce;
}

/* What is left of a share of something; nothing, if more was spent. */
static uint64_t what_is_left(uint64_t share, uint64_t spent)
{
    return share > spent ? share - spent : 0;
}

/*
 * How many segments all questions may run.  A search whose states are kept apart by what they owe may run hardly any, since it knows all histories on
 * the ways it goes: then a question that has to go other ways would never be answered.  What it runs is not lost, for with all slack there is the
 * same histories are met (L6), as long as the search comes to its end; so of segments that take long there are fewer.
 */
static uint64_t segments_for_questions(const struct explorer *x)
{
    enum { PART = 4, LEAST_SEGMENTS = 64, APART = 2 };
    const struct slack_safety *safety = &x->slack_safety;
    const struct tree *tree = &x->game.tree;
    uint64_t others = what_is_left(tree->segments, safety->segments + x->scouted_work); /* a run ahead takes no looks, and little time */

    return others / PART + safety->kept_apart * tree->segments / (APART * tree_work(tree)) + LEAST_SEGMENTS;
}

static int ask_for_safety(struct explorer *x, const struct state *tight)
{
    enum { STATES = 8, LEAST_STATES = 1 << 14 };
    struct slack_safety *safety = &x->slack_safety;
    uint64_t before = safety->looked_at;
    struct slack_question question = {
        &x->game,
        &x->menu,
        &x->reducer,
        search_reduction(x),
        what_is_left(STATES * x->result.states + LEAST_STATES, before),
        what_is_left(segments_for_questions(x), safety->segments),
    };
    int safe = slack_is_safe(safety, &question, tight);

    if (!safe && !seen_has(&safety->unsafe, tight->key))
        safety->wait_until = 2 * safety->kept_apart;
    LOG(explore, "of %llu states %llu were kept apart by what they owe; less slack is %s, as %llu states show",
        (unsigned long long)x->result.states, (unsigned long long)safety->kept_apart,
        safe > 0 ? "safe" : "not known to be safe", (unsigned long long)(safety->looked_at - before));
    return safe;
}

/* The same from the beginning on: if there is no such deadlock at all, nothing else has to be asked. */
static int ask_for_all(struct explorer *x)
{
    struct slack_safety *safety = &x->slack_safety;
    struct tight *first = tight_begin(&x->game, SLACK_TIGHT);
    int safe;

    if (!first)
        return -1;
    safe = ask_for_safety(x, first->state);
    safety->nowhere = safe > 0;
    safety->somewhere = seen_has(&safety->unsafe, first->state->key);
    tight_free(&x->game, first);
    return safe;
}

/*
 * If there is no such deadlock at all, as far as was known, it is asked once more with what is known now; if that is so again, nothing was let go of in
 * error, and the search need not begin anew.  To ask shows more of the tree, and may refute an assumption again.
 */
bool search_is_safe_all_the_same(struct explorer *x)
{
    enum { TRIES = 4 };
    struct slack_safety *safety = &x->slack_safety;

    for (int i = 0; i < TRIES && safety->nowhere; i++) {
        slack_safety_release(safety);
        if (ask_for_all(x) < 0)
            x->result.left |= LEFT_RUNNER;
        if (safety->nowhere && !slack_safety_is_refuted(safety, &x->game.tree))
            return true;
    }
    return false;
}

static bool is_known_to_be_safe(const struct explorer *x, const struct state *tight)
{
    return x->slack_safety.nowhere || seen_has(&x->slack_safety.safe, tight->key);
}

/* -1: the runner failed. */
static int is_safe(struct explorer *x, const struct state *state, cost_t cost)
{
    struct slack_safety *safety = &x->slack_safety;
    const struct state *tight = state->tight->state;
    int safe = is_known_to_be_safe(x, tight);

    if (safe || seen_has(&safety->unsafe, tight->key) || !should_ask_for_safety(x, state, cost))
        return safe;
    if (!safety->somewhere)
        safe = ask_for_all(x);
    return !safe && safety->somewhere ? ask_for_safety(x, tight) : safe;
}

static void let_go_of_tight(const struct explorer *x, struct state *state)
{
    tight_free(&x->game, state->tight);
    state->tight = NULL;
}

void search_let_go_if_safe(const struct explorer *x, struct state *state)
{
    if (state->tight && !game_has_keepers(&x->game) && is_known_to_be_safe(x, state->tight->state))
        let_go_of_tight(x, state);
}

/* Beside windows, a state with less slack may be a livelock though something can be decided there (way_out.h): of that nobody is asked here. */
void search_look_for_safety(struct explorer *x, struct state *state, cost_t cost)
{
    int safe;

    x->slack_safety.meets = false;
    safe = state->tight && !game_has_keepers(&x->game) ? is_safe(x, state, cost) : 0;
    if (safe < 0)
        x->result.left |= LEFT_RUNNER;
    if (safe <= 0)
        return;
    let_go_of_tight(x, state);
    x->result.unfollowed++;
}

void search_note_met(struct explorer *x, uint32_t step)
{
    if (x->slack_safety.meets)
        step_index_add(&x->slack_safety.met, x->unowing.at, step);
    x->slack_safety.meets = false;
}
