/*
 * scout -- the first run of a long program, ahead of the search.
 *
 * On its way down the search stops at every poll to see whether it goes round, looks at ranks and copies them: for that
 * it needs a hundred times as long as the program, and a user who waits for the first run of a long one sees nothing.
 * So once it has run many segments and no run has ended, one run is made that leaves all this out.  It decides as `tourney run`
 * does (src/play): what can return does, then the lowest receive takes the lowest source, and only if nothing else can
 * happen polls say no.  The segments that it takes are in the trees, and need not be run again.
 *
 * It is told like a run that was foreseen, with step 0: the search tells of that end once more when it comes there.
 * Whether ranks do the same once more is tried when the run was told, and not before.
 * Who is told no leaps (leaps.h), further each time as long as nothing else happens.
 * If polls say no for too long, it is given up: whether that is a livelock is the search's to say.
 *
 * Where the search comes to polls early, to follow them (spin.h) would be most of what it does before any run has ended.  So it stops there, as if it had
 * learned something, and this run is made before it begins.  That one is brief: if it is given up, which livelocks come to, the search goes on as
 * it would have, and may make it once more.  Nothing that was asked of polls up to there is noted, so what the search sees is the same.
 */
#include "base/log.h"
#include "explore/search.h"

enum {
    MOST_ANSWERS = 1 << 14,    /* that are no, in a row, of all ranks */
    MOST_NOES = 1 << 23,       /* the same with those that ranks say by themselves */
    LONGEST_LEAP = 1 << 16,
    BRIEF_ANSWERS = 1 << 11,   /* of a run that is made before the search begins: */
    BRIEF_NOES = 1 << 20,      /* a fifth of a second of most, which is lost if ranks poll for ever */
    BRIEF_EFFORT = 1 << 15,    /* beyond the usual, for those who do much between their polls */
};

bool scout_is_patient(const struct scout_walk *walk)
{
    if (walk->brief && (walk->answers > BRIEF_ANSWERS || walk->noes > BRIEF_NOES))
        return false;
    return walk->answers < MOST_ANSWERS && walk->noes < MOST_NOES;
}

static bool is_no(const struct explorer *x, const struct option *option)
{
    return option->choice == ANSWER_NO && op_is_poll(x->game.tree.op.at[option->op].op);
}

/* The first option of those that let a call return, or of those that let a receive take a message, or one of the rest. */
static struct option *find_first(struct explorer *x)
{
    struct menu *menu = &x->menu;
    struct option *match = NULL;

    for (size_t i = 0; i < menu->option.n; i++) {
        struct option *option = &menu->option.at[i];

        if (!option->recv && !is_no(x, option))
            return option;
        match = match ? match : option->recv ? option : NULL;
    }
    return match;
}

/* Those who poll are told no by turns: this one is the next after rank r. */
static struct option *find_next_no(struct explorer *x, rank_t r)
{
    struct menu *menu = &x->menu;
    struct option *first = menu->option.n ? menu->option.at : NULL;

    for (size_t i = 0; i < menu->point.n; i++)
        if (menu->point.at[i].rank > r)
            return &menu->option.at[menu->point.at[i].first];
    return first;
}

/*
 * Ranks are told no by turns, and none begins or ends to poll while nothing else happens: so this is how often each was told.  Where states are not
 * looked at, nobody leaps: the search goes from no to no, and would take its own run for another one.
 */
static uint32_t noes_left_to_rank(const struct explorer *x, const struct scout_walk *walk)
{
    uint32_t rounds = walk->still / (uint32_t)x->menu.point.n;

    if (rounds == 0 || !x->game.tree.runner.leaps || !x->game.tree.merges)
        return 0;
    return rounds < 15 ? (UINT32_C(2) << rounds) - 1 : LONGEST_LEAP;
}

const struct option *scout_decide(struct explorer *x, struct scout_walk *walk)
{
    struct option *option = find_first(x);

    if (option) {
        walk->noes = walk->answers = walk->still = 0;
    } else if ((option = find_next_no(x, walk->last))) {
        x->game.leaps.noes = noes_left_to_rank(x, walk);
        option->leaps = x->game.leaps.noes;
    }
    if (option)
        walk->last = search_rank_of(x, option->op);
    return option;
}

int scout_take(struct explorer *x, struct state *state, struct scout_walk *walk, const struct option *option)
{
    struct pick pick = option_pick(option);
    bool no = is_no(x, option);

    if (search_take(x, state, option) < 0)
        return -1;
    if (no) {
        walk->answers++;
        walk->noes += pick.leaps ? tree_leap(&x->game.tree, x->game.tree.op.at[pick.op].node) : 1;
        walk->still = spin_only_polls(&x->game.tree, state->player[walk->last].node) ? walk->still + 1 : 0;
    }
    return 0;
}

/* Goes on to the end of a run; NULL: it was given up, or the runner failed. */
static struct state *scout_to_end(struct explorer *x, bool brief)
{
    struct state *state = state_begin(&x->game, x->options.slack);
    struct scout_walk walk = SCOUT_WALK_BEGIN;
    uint64_t effort = x->game.tree.effort;

    walk.brief = brief;
    while (state && scout_is_patient(&walk) && !(brief && x->game.tree.effort - effort > BRIEF_EFFORT) && !search_is_over(x)) {
        const struct option *option;
        struct pick pick;

        menu_fill(&x->menu, &x->game, state);
        option = scout_decide(x, &walk);
        if (!option)
            return state;
        pick = option_pick(option);
        vec_push(&x->decisions, account_decision(x, pick.op, pick.choice));
        if (scout_take(x, state, &walk, option) < 0)
            return NULL;
        account_note_leap(x, pick);
    }
    if (state)
        state_free_with_tight(&x->game, state);
    return NULL;
}

bool search_prove_ends(struct explorer *x, const struct state *state)
{
    struct tree *tree = &x->game.tree;
    bool same = true;

    for (rank_t r = 0; r < x->game.ranks && tree->runner.prove; r++) {
        node_id last = state->player[r].node;

        if (tree->node.at[last].end == SEGMENT_EXIT && tree->node.at[last].ret && tree->node.at[last].ret->hasty &&
            !tree->runner.prove(tree->runner.data, last)) {
            tree->node.at[last].end = SEGMENT_DIVERGED;
            tree->node.at[last].code = r;
            same = false;
        }
    }
    return same;
}

bool search_should_scout(const struct explorer *x)
{
    return x->options.scout && !x->scouted && tree_is_long(&x->game.tree) && !x->game.tree.runner.announce;
}

static void log_noes(const struct explorer *x)
{
    uint64_t answers = 0, leaps = 0, noes = 0;

    for (size_t i = 0; i < x->decisions.n; i++) {
        const struct decision *d = &x->decisions.at[i];

        answers += d->kind == DECIDED_NO;
        leaps += d->noes > 0;
        noes += d->noes ? d->noes - 1 : 0;
    }
    LOG(explore, "of %zu decisions made ahead polls say no in %llu; %llu of these are leaps, with %llu noes behind the first", x->decisions.n,
        (unsigned long long)answers, (unsigned long long)leaps, (unsigned long long)noes);
}

/* If nothing was decided, nothing differs.  What was known by its key is known by another one then. */
static void liken_nodes(struct explorer *x, struct state *state)
{
    if (x->decisions.n == 0 || !tree_liken_first_run(&x->game.tree))
        return;
    LOG(explore, "of %zu nodes of that run %llu are like others", x->game.tree.node.n - 1, (unsigned long long)x->game.tree.likened);
    search_find_keys_anew(x);
    search_find_scouted_key_anew(x, state);
}

/* A place that is cancelled is learned by the search: until then, a run that goes past it is none of its runs. */
static void scout_run(struct explorer *x, bool brief)
{
    uint32_t rounds = x->game.spin.rounds;
    uint64_t before = tree_work(&x->game.tree);
    struct step in_hand = x->in_hand;
    struct state *state;

    x->scouted = x->game.tree.scouts = x->game.disputes.deaf = true;
    x->game.tree.scouts_first = x->game.tree.scout_due = false;
    account_begin(x);
    x->game.spin.rounds = 0;
    state = scout_to_end(x, brief);
    x->scouted_work += tree_work(&x->game.tree) - before; /* it may be one of several */
    x->game.spin.rounds = rounds;
    log_noes(x);
    x->game.tree.scouts = x->game.disputes.deaf = false;
    LOG(explore, "after %llu segments a run was made ahead of the search%s",
        (unsigned long long)x->game.tree.segments, state ? "" : ", and given up");
    if (state && !x->game.learned) {
        account_end(x, state);
        search_tell_scouted(x, state);
        search_prove_ends(x, state); /* if not, the search will tell */
        liken_nodes(x, state);
    }
    x->scouted = !x->game.learned && (state || !brief); /* else the search begins anew, or begins, and so does this */
    x->game.trails = NULL;
    x->in_hand = in_hand;
    if (state)
        state_free_with_tight(&x->game, state);
}

void search_scout(struct explorer *x)
{
    scout_run(x, false);
}

void search_scout_first(struct explorer *x)
{
    x->scouted_first = true;
    scout_run(x, true);
}
