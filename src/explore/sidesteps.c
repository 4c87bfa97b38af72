/*
 * sidesteps -- runs that depart once from the run that was made ahead (scout.c).
 *
 * Ranks that poll while they work are followed for long, and large ones take long to copy: then the search may not come to the end of
 * its own first run, and nothing could be said of it.  But one run was made ahead.  In memory it is made once more in no time, and each of
 * its decisions can come out otherwise: a receive takes another message, a poll says no though it could say yes.  From there on
 * everything is decided as that run decides.  The last decisions are tried first, so that
 *
 *     all runs are known that depart once from the run made ahead, by another outcome of one of its last n decisions,
 *
 * where n grows; or of n of its decisions, if some could not be followed to an end.  Whatever the same point has on its menu there is an outcome
 * of the decision; which point is decided next is how that run decides.  So this rests on no argument about reductions, nor about polls that go
 * round: each of them is a decision here.  It holds if MPI buffers everything.
 *
 * None of it is part of the search, which takes polls that go round for one wait and so has other states.  An end is told with step 0, and
 * once more when the search comes there.
 */
#include "explore/search.h"

#include "base/deadline.h"
#include "base/hash.h"
#include "base/log.h"

enum {
    STRIDE = 64, /* decisions from one state that is kept to the next */
    NEAR = 64,   /* decisions after a departure in which ranks are looked at: most come to be the same again soon, or not at all */
    SEGMENT = 30, /* as in deepening.c */
};

static void drop_way(struct sidesteps *sidesteps, const struct game *game)
{
    for (size_t i = 0; i < sidesteps->kept.n; i++)
        state_free_with_tight(game, sidesteps->kept.at[i]);
    vec_clear(&sidesteps->kept);
    vec_clear(&sidesteps->way);
}

void sidesteps_release(struct sidesteps *sidesteps, const struct game *game)
{
    drop_way(sidesteps, game);
    vec_release(&sidesteps->kept);
    vec_release(&sidesteps->way);
    vec_release(&sidesteps->tail);
    vec_release(&sidesteps->met);
    seen_release(&sidesteps->known);
    *sidesteps = (struct sidesteps){0};
}

/* Who is told no next depends on who was decided for last. */
static struct map_key key_of(const struct state *state, rank_t last)
{
    struct map_key key = state->key;

    hash_stir(&key, (uint64_t)(int64_t)last);
    return key;
}

/* The options of the point that one of them belongs to, in the menu. */
static struct stretch outcomes_of(const struct menu *menu, const struct option *option)
{
    uint32_t at = (uint32_t)(option - menu->option.at), i = 0;

    while (menu->point.at[i].first + menu->point.at[i].n <= at)
        i++;
    return (struct stretch){menu->point.at[i].first, menu->point.at[i].first + menu->point.at[i].n};
}

static bool is_interrupted(struct explorer *x)
{
    return x->game.learned || search_is_over(x);
}

/* ---- the run that is departed from ---- */

static void note_on_way(struct explorer *x, const struct state *state, const struct option *option, rank_t last)
{
    struct sidesteps *sidesteps = &x->sidesteps;
    struct stretch outcomes = outcomes_of(&x->menu, option);

    if (sidesteps->way.n % STRIDE == 0)
        vec_push(&sidesteps->kept, state_clone(&x->game, state));
    seen_add(&sidesteps->known, key_of(state, last));
    sidesteps->decisions += outcomes.until - outcomes.first > 1;
    vec_push(&sidesteps->way, option_pick(option));
}

/* Its segments are in the trees. */
static int follow_way(struct explorer *x)
{
    struct sidesteps *sidesteps = &x->sidesteps;
    struct state *state = state_begin(&x->game, x->options.slack);
    struct scout_walk walk = SCOUT_WALK_BEGIN;
    const struct option *option = NULL;

    sidesteps->begun = true;
    sidesteps->since = search_work(x);
    sidesteps->places = x->game.places.n;
    sidesteps->merges = x->game.tree.merges;
    while (state && !is_interrupted(x) && scout_is_patient(&walk)) {
        rank_t last = walk.last;

        menu_fill(&x->menu, &x->game, state);
        option = scout_decide(x, &walk);
        sidesteps->ended = !option;
        if (!option)
            break;
        note_on_way(x, state, option, last);
        if (scout_take(x, state, &walk, option) < 0)
            return -1;
    }
    sidesteps->next = sidesteps->ended ? sidesteps->way.n : 0;
    if (!state)
        return -1;
    state_free_with_tight(&x->game, state);
    LOG(explore, "the run made ahead has %zu decisions, of which %u could come out otherwise%s", sidesteps->way.n,
        sidesteps->decisions, sidesteps->ended ? "" : ", and was not followed to its end");
    return 0;
}

/* The state in which it makes its n-th decision; NULL: the runner failed. */
static struct state *reach_decision(struct explorer *x, size_t n)
{
    const struct sidesteps *sidesteps = &x->sidesteps;
    struct state *state = state_clone(&x->game, sidesteps->kept.at[n / STRIDE]);

    for (size_t i = n - n % STRIDE; i < n; i++)
        if (search_take_pick(x, state, sidesteps->way.at[i]) < 0)
            return NULL;
    return state;
}

/* ---- a run that departs from it ---- */

/* Makes the run once more from its beginning, with trails, and tells of its end. */
static int tell_departed(struct explorer *x, size_t n, struct pick departure)
{
    const struct sidesteps *sidesteps = &x->sidesteps;
    size_t decisions = n + 1 + sidesteps->tail.n;
    struct state *state;

    account_begin(x);
    state = state_begin(&x->game, x->options.slack);
    for (size_t i = 0; state && i < decisions; i++) {
        struct pick pick = i < n ? sidesteps->way.at[i] : i == n ? departure : sidesteps->tail.at[i - n - 1];

        vec_push(&x->decisions, account_decision(x, pick.op, pick.choice));
        if (search_take_pick(x, state, pick) < 0)
            state = NULL;
        else
            account_note_leap(x, pick);
    }
    if (state) {
        account_end(x, state);
        search_tell_scouted(x, state);
        state_free_with_tight(&x->game, state);
    }
    x->game.trails = NULL;
    return state ? 0 : -1;
}

static bool is_new_end(const struct explorer *x, const struct state *state)
{
    uint32_t known;

    return !map_get(&x->ends, state->key, &known) && !map_get(&x->early_ends, state->key, &known);
}

/*
 * An end that is bad may be due to files that the run made ahead has changed or removed, and that this one finds so, having done nothing of that kind: then it is none that
 * can be told, and not known either.
 */
static bool is_in_doubt_for_files(struct explorer *x, const struct state *state)
{
    const struct runner *runner = &x->game.tree.runner;

    return runner->shares_files && runner->shares_files(runner->data) && !search_is_clean_end(x, state);
}

/* Its end: 1; 0: it cannot be told; -1: the runner failed. */
static int meet_end(struct explorer *x, const struct state *state, size_t n, struct pick departure)
{
    if (!is_new_end(x, state))
        return 1;
    if (is_in_doubt_for_files(x, state))
        return 0;
    return tell_departed(x, n, departure) < 0 ? -1 : 1;
}

/* Decides on from a state as the run made ahead does; 1: what follows is known now; 0: it is not; -1: the runner failed, and the state is gone. */
static int decide_on(struct explorer *x, struct state *state, size_t n, struct pick departure)
{
    struct sidesteps *sidesteps = &x->sidesteps;
    struct scout_walk walk = SCOUT_WALK_BEGIN;

    walk.last = search_rank_of(x, departure.op);
    while (!is_interrupted(x) && scout_is_patient(&walk)) {
        struct map_key key = key_of(state, walk.last);
        const struct option *option;

        if (seen_has(&sidesteps->known, key))
            return 1;
        vec_push(&sidesteps->met, key);
        menu_fill(&x->menu, &x->game, state);
        option = scout_decide(x, &walk);
        if (!option)
            return meet_end(x, state, n, departure);
        vec_push(&sidesteps->tail, option_pick(option));
        x->game.tree.scouts = sidesteps->tail.n > NEAR;
        if (scout_take(x, state, &walk, option) < 0)
            return -1;
    }
    return 0;
}

/* One other outcome of the n-th decision, taken in its state: as decide_on. */
static int depart(struct explorer *x, const struct state *from, size_t n, const struct option *option)
{
    struct sidesteps *sidesteps = &x->sidesteps;
    struct state *state = state_clone(&x->game, from);
    struct pick departure = option_pick(option);
    int known;

    vec_clear(&sidesteps->tail);
    vec_clear(&sidesteps->met);
    x->game.tree.scouts = false;
    if (search_take(x, state, option) < 0)
        return -1;
    known = decide_on(x, state, n, departure);
    if (known < 0)
        return -1;
    for (size_t i = 0; known && i < sidesteps->met.n; i++)
        seen_add(&sidesteps->known, sidesteps->met.at[i]);
    state_free_with_tight(&x->game, state);
    return known;
}

/* All other outcomes of the n-th decision; as decide_on, and 1 also if there are none. */
static int try_outcomes(struct explorer *x, const struct state *state, size_t n)
{
    const struct option *taken;
    struct stretch outcomes;
    VEC(struct option) others = {0};
    int known = 1;

    menu_fill(&x->menu, &x->game, state);
    taken = search_find_option(&x->menu, x->sidesteps.way.at[n]);
    outcomes = outcomes_of(&x->menu, taken);
    for (uint32_t i = outcomes.first; i < outcomes.until; i++)
        if (&x->menu.option.at[i] != taken)
            vec_push(&others, x->menu.option.at[i]);
    for (size_t i = 0; i < others.n && known > 0; i++)
        known = depart(x, state, n, &others.at[i]);
    if (others.n && known > 0) {
        x->sidesteps.tried++;
        x->sidesteps.last += !x->sidesteps.missed;
    }
    if (others.n && known >= 0)
        LOG(explore, "decision %zu of the run made ahead comes out in %zu other ways: %s", n, others.n,
            known ? "all runs are known" : "not all is known");
    vec_release(&others);
    return known;
}

static int try_next_decision(struct explorer *x)
{
    struct sidesteps *sidesteps = &x->sidesteps;
    size_t n = --sidesteps->next;
    struct state *state = reach_decision(x, n);
    int known;

    if (!state)
        return -1;
    known = try_outcomes(x, state, n);
    state_free_with_tight(&x->game, state);
    sidesteps->missed |= known == 0;
    return known < 0 ? -1 : 0;
}

/* ---- when ---- */

/* What the search has done since they began. */
static uint64_t others_work(const struct explorer *x)
{
    return x->sidesteps.begun ? search_work(x) - x->sidesteps.since : 0;
}

/*
 * A run made ahead that was very long may have taken most of the time that there is.  Whoever it left behind near its end (drive/milestones.c) is there now, and will be
 * driven out by what the search does: so the last decisions are tried at once.
 */
static bool was_very_long(const struct explorer *x)
{
    enum { VERY_LONG = 1 << 14 };

    return x->scouted_work >= VERY_LONG;
}

/* When half of the time is gone and the search has no end of its own, it will hardly come to one from which more can be said. */
static bool is_time_for_them(const struct explorer *x)
{
    const struct runner *runner = &x->game.tree.runner;

    return x->deepens || (runner->time_presses ? runner->time_presses(runner->data) : deadline_is_near());
}

/* Until the search has an end of its own to depart from (late_departures.c). */
bool search_should_sidestep(const struct explorer *x)
{
    const struct sidesteps *sidesteps = &x->sidesteps;

    if (!x->early_ends.n || x->ended.n || search_has_bound(x) || (sidesteps->begun && !sidesteps->next))
        return false;
    if (!sidesteps->begun)
        return is_time_for_them(x) || was_very_long(x);
    return is_time_for_them(x) && sidesteps->work <= others_work(x);
}

/* To come to the end of a long run takes long, and whoever sleeps there is driven out by what the search does: so there are many in a row. */
static uint64_t work_in_a_row(const struct explorer *x)
{
    enum { IN_A_ROW = 1 << 20, AT_ONCE = 8 };

    return is_time_for_them(x) ? 2 * others_work(x) + IN_A_ROW : SEGMENT * x->scouted_work / AT_ONCE;
}

static int sidestep(struct explorer *x)
{
    struct sidesteps *sidesteps = &x->sidesteps;
    uint64_t before = tree_work(&x->game.tree), work = sidesteps->work, most = work_in_a_row(x);
    int status = 0;

    if (!sidesteps->begun)
        status = follow_way(x);
    while (status == 0 && sidesteps->next && !is_interrupted(x) && sidesteps->work <= most) {
        status = try_next_decision(x);
        sidesteps->work = work + SEGMENT * (tree_work(&x->game.tree) - before);
    }
    sidesteps->work++;
    x->scouted_work += tree_work(&x->game.tree) - before;
    return status;
}

int search_sidestep(struct explorer *x)
{
    uint32_t rounds = x->game.spin.rounds;
    struct step in_hand = x->in_hand;
    int status;

    x->game.disputes.deaf = x->game.last = true;
    x->game.spin.rounds = 0;
    x->game.tree.scouts = true;
    status = sidestep(x);
    x->game.tree.scouts = x->game.disputes.deaf = x->game.last = false;
    x->game.spin.rounds = rounds;
    x->in_hand = in_hand;
    return status;
}

/* Whether what the search has learned makes no difference here: polls at some place go on for longer than was thought. */
static bool are_valid(const struct sidesteps *sidesteps, const struct game *game)
{
    return sidesteps->places == game->places.n && sidesteps->merges == game->tree.merges && !game->tree.joined;
}

void sidesteps_begin_anew(struct explorer *x)
{
    if (x->sidesteps.begun && (search_lacks_keepers(x) || !are_valid(&x->sidesteps, &x->game)))
        sidesteps_release(&x->sidesteps, &x->game);
}

void sidesteps_say(const struct sidesteps *sidesteps, struct completeness *complete)
{
    if (!sidesteps->tried)
        return;
    complete->from = FROM_RUN_AHEAD;
    complete->known = sidesteps->tried;
    complete->last = sidesteps->last;
    complete->decisions = sidesteps->decisions;
}
