#include "explore/slack_deadlocks.h"

#include <string.h>

#include "base/deadline.h"
#include "base/hash.h"
#include "explore/way_out.h"

/* ---- deadlocks on the way ---- */

/* Whether loosening lets somebody go on; else the run ends here with all slack there is. */
static bool loosening_helps(struct game *game, const struct tight *tight, ids_t *ids)
{
    for (rank_t r = 0; r < game->ranks; r++) {
        tight_needed(game, tight, r, ids);
        if (ids->n)
            return true;
    }
    return false;
}

bool slack_state_is_deadlock(struct game *game, struct menu *menu, const struct state *state)
{
    for (rank_t r = 0; r < game->ranks; r++)
        if (state_other_threads_go(game, state, r))
            return false;
    for (rank_t r = 0; r < game->ranks; r++)
        if (state->player[r].mode == PLAYER_OVER && game->tree.node.at[state->player[r].node].end != SEGMENT_EXIT)
            return false;
    menu_fill(menu, game, state);
    if (menu->point.n == 0)
        return state->clash == RANK_NONE;
    return game_has_spinners(game) && way_out_is_missing(game, state);
}

/* ---- the smallest cause ---- */

static bool is_among_users(const users_t *users, uint32_t user)
{
    for (size_t i = 0; i < users->n; i++)
        if (users->at[i] == user)
            return true;
    return false;
}

/* What is not to be loosened: these, and, if `whole`, all parts of the collectives that these are parts of. */
struct kept {
    const users_t *users;
    bool whole;
};

static bool is_kept_tight(const struct game *game, const struct kept *kept, uint32_t user)
{
    const struct op *op = game->tree.op.at[user].op;

    for (size_t i = 0; i < kept->users->n; i++) {
        const struct op *other = game->tree.op.at[kept->users->at[i]].op;

        if (kept->users->at[i] == user || (kept->whole && op->kind == OP_COLL && other->kind == OP_COLL &&
                                           op->context == other->context && op->turn == other->turn))
            return true;
    }
    return false;
}

/* Loosens what holds up somebody now, those kept aside; false: there is nothing. */
static int loosen_others(struct game *game, struct menu *menu, struct tight *tight, const struct kept *kept, bool *any)
{
    ids_t ids = {0}, others = {0};
    int failed;

    for (rank_t r = 0; r < game->ranks; r++) {
        tight_loosening(game, tight->state, r, &ids);
        for (size_t i = 0; i < ids.n; i++)
            if (!is_kept_tight(game, kept, sem_view(tight->state->sem, ids.at[i]).user))
                vec_push(&others, ids.at[i]);
    }
    *any = others.n > 0;
    failed = tight_loosen_all(game, menu, tight, &others);
    vec_release(&ids);
    vec_release(&others);
    return failed;
}

static bool is_incomplete(const struct state *state, rank_t r, uint32_t user)
{
    const struct player *p = &state->player[r];

    for (size_t i = 0; i <= p->request.n; i++) {
        op_id id = i < p->request.n ? p->request.at[i].id : p->mode == PLAYER_PASSES ? p->passes : OP_ID_NONE;

        if (id && sem_view(state->sem, id).user == user && !sem_view(state->sem, id).complete)
            return true;
    }
    return false;
}

/* Whether one of these may still hold up somebody. */
static bool may_hold(const struct game *game, const struct tight *tight, const users_t *kept)
{
    for (size_t i = 0; i < kept->n; i++) {
        node_id node = game->tree.op.at[kept->at[i]].node;

        if (is_incomplete(tight->state, game->tree.node.at[node].rank, kept->at[i]))
            return true;
    }
    return false;
}

/* If none of those kept holds up anybody any more, the others can be loosened to the end. */
static int kept_hold_up(struct game *game, struct menu *menu, const struct tight *at, const users_t *kept, bool *result)
{
    struct tight *tight = tight_clone(game, at);
    ids_t ids = {0};
    bool any = true;
    int failed = 0;

    while (any && !failed && may_hold(game, tight, kept))
        failed = loosen_others(game, menu, tight, &(struct kept){kept, false}, &any);
    *result = !failed && !any && slack_state_is_deadlock(game, menu, tight->state) && loosening_helps(game, tight, &ids);
    vec_release(&ids);
    tight_free(game, tight);
    return failed;
}

static void list_all_loosening(struct game *game, const struct tight *tight, users_t *users)
{
    ids_t ids = {0};

    for (rank_t r = 0; r < game->ranks; r++) {
        tight_loosening(game, tight->state, r, &ids);
        for (size_t i = 0; i < ids.n; i++)
            vec_push(users, sem_view(tight->state->sem, ids.at[i]).user);
    }
    vec_release(&ids);
}

int slack_deadlock_cause(struct game *game, struct menu *menu, const struct tight *tight, users_t *users)
{
    size_t needed = 0; /* so many at the end cannot be left out of those that are there now */

    vec_clear(users);
    list_all_loosening(game, tight, users);
    while (needed < users->n && !deadline_is_over()) {
        uint32_t user = users->at[0];
        bool needless;

        users->n--;
        memmove(users->at, users->at + 1, users->n * sizeof *users->at);
        if (kept_hold_up(game, menu, tight, users, &needless) < 0)
            return -1;
        needed = needless ? 0 : needed + 1;
        if (!needless)
            vec_push(users, user);
    }
    return 0;
}

/* Whether all these hold up their ranks. */
static bool all_hold(struct game *game, const struct tight *tight, const users_t *cause)
{
    users_t now = {0};
    bool all = true;

    list_all_loosening(game, tight, &now);
    for (size_t i = 0; i < cause->n; i++)
        all = all && is_among_users(&now, cause->at[i]);
    vec_release(&now);
    return all;
}

static bool has_collective(const struct game *game, const users_t *cause)
{
    for (size_t i = 0; i < cause->n; i++)
        if (game->tree.op.at[cause->at[i]].op->kind == OP_COLL)
            return true;
    return false;
}

int slack_deadlock_mixed(struct game *game, struct menu *menu, const struct tight *first, const users_t *cause,
                         bool *mixed)
{
    struct tight *tight;
    bool any = true;
    int failed = 0;

    *mixed = false;
    if (!has_collective(game, cause))
        return 0;
    tight = tight_clone(game, first);
    while (any && !failed)
        failed = loosen_others(game, menu, tight, &(struct kept){cause, true}, &any);
    *mixed = !failed && !(slack_state_is_deadlock(game, menu, tight->state) && all_hold(game, tight, cause));
    tight_free(game, tight);
    return failed;
}

/* ---- all of them ---- */

struct slack_walk {
    struct game *game;
    struct menu *menu;
    struct slack_deadlock_search *search;
    const struct tight *begin; /* with the least slack */
    VEC(struct tight *) at;    /* owns from `first` on */
    size_t first;
    struct seen seen;
    VEC(struct map_key) met; /* all points, by tight_key */
    bool harmful;            /* one was a deadlock */
    users_t cause;
    ids_t ids;
};

/* Takes a point, to be looked at unless it was or need not be. */
static void add_point(struct slack_walk *walk, struct tight *tight)
{
    struct map_key key = tight_key(tight);

    if (seen_has(walk->search->harmless, key) || !seen_add(&walk->seen, tight->state->key)) {
        tight_free(walk->game, tight);
        return;
    }
    vec_push(&walk->met, key);
    vec_push(&walk->at, tight);
}

/* Goes on from a point by loosening `ids` of the walk. */
static int loosen_at_point(struct slack_walk *walk, const struct tight *tight)
{
    struct tight *next;

    if (!walk->ids.n)
        return 0;
    next = tight_clone(walk->game, tight);
    if (tight_loosen_all(walk->game, walk->menu, next, &walk->ids) < 0) {
        tight_free(walk->game, next);
        return -1;
    }
    add_point(walk, next);
    return 0;
}

/* Goes on from a point by letting a rank go. */
static int let_rank_go(struct slack_walk *walk, const struct tight *tight, rank_t r)
{
    tight_needed(walk->game, tight, r, &walk->ids);
    return loosen_at_point(walk, tight);
}

static bool is_among_owners(const struct slack_walk *walk, rank_t r)
{
    const struct tree *tree = &walk->game->tree;

    for (size_t i = 0; i < walk->cause.n; i++)
        if (tree->node.at[tree->op.at[walk->cause.at[i]].node].rank == r)
            return true;
    return false;
}

static bool is_behind(const struct slack_walk *walk, const struct tight *tight, rank_t r)
{
    const struct player *here = &tight->state->player[r], *there = &walk->search->end->player[r];

    return here->node != there->node || here->posted != there->posted || here->mode != there->mode;
}

struct behind_query {
    const struct slack_walk *walk;
    const struct tight *tight;
    bool behind;
};

static void look_behind(void *data, const struct sem_need *need)
{
    struct behind_query *query = data;

    for (int i = 0; i < need->n; i++)
        query->behind = query->behind || is_behind(query->walk, query->tight, need->ranks[i]);
}

/* Whether it holds up more than ranks that wait for those that the run's own deadlock holds. */
static bool matters(const struct slack_walk *walk, const struct tight *tight)
{
    struct behind_query query = {walk, tight, !walk->search->end_is_deadlock};

    for (rank_t r = 0; r < walk->game->ranks && !query.behind; r++)
        if (is_among_owners(walk, r))
            sem_needs(tight->state->sem, r, look_behind, &query);
    return query.behind;
}

/* Whether a collective is part of the cause that, when all was over, some member had not called. */
static bool waits_for_absent(const struct slack_walk *walk)
{
    const struct tree *tree = &walk->game->tree;

    for (size_t i = 0; i < walk->cause.n && walk->search->end_is_clean; i++) {
        const struct op *op = tree->op.at[walk->cause.at[i]].op;

        if (op->kind == OP_COLL && sem_is_unjoined(walk->search->end->sem, op->context, (uint32_t)op->turn))
            return true;
    }
    return false;
}

/* On the way of another run, the same may have another cause. */
static void add_cause(struct map_key *key, const users_t *cause)
{
    for (size_t i = 0; i < cause->n; i++) {
        struct map_key part = HASH_START;

        hash_stir(&part, cause->at[i]);
        hash_add(key, part);
    }
}

/* Whether it was not told before; what is mixed on the way of one run may not be on that of another. */
static bool is_new_deadlock(struct slack_walk *walk, const struct tight *tight)
{
    struct map_key key = tight->state->key;

    add_cause(&key, &walk->cause);
    hash_stir(&key, tight->mixed);
    return seen_add(walk->search->told, key);
}

static int tell_cause(struct slack_walk *walk, struct tight *tight)
{
    if (slack_deadlock_cause(walk->game, walk->menu, tight, &walk->cause) < 0)
        return -1;
    if (!matters(walk, tight) || waits_for_absent(walk))
        return 0;
    if (slack_deadlock_mixed(walk->game, walk->menu, walk->begin, &walk->cause, &tight->mixed) < 0)
        return -1;
    if (is_new_deadlock(walk, tight))
        walk->search->tell(walk->search->data, tight);
    return 0;
}

/*
 * Who spins on a window may need another number of rounds where others come later, and then does not make the decisions of
 * the run.  Where nothing is left to be loosened, the run should be at its end.
 */
static bool has_strayed(const struct slack_walk *walk, const struct tight *tight)
{
    bool elsewhere = tight->owed != NULL;

    for (rank_t r = 0; r < walk->game->keepers && !elsewhere; r++)
        elsewhere = tight->state->player[r].mode != walk->search->end->player[r].mode;
    return elsewhere && game_has_spinners(walk->game);
}

static bool waits_for_all(const struct game *game, const struct state *state, rank_t r)
{
    return state->player[r].mode != PLAYER_POLLS && !is_selective(state_call(game, state, r));
}

/*
 * The same for one who owns a part of the cause.  If its call waits for something else, too, loosening that part does not let it go, but is of no
 * consequence either: others hold it up then, and are the next cause.
 */
static int let_owner_go(struct slack_walk *walk, const struct tight *tight, rank_t r)
{
    size_t kept = 0;

    tight_needed(walk->game, tight, r, &walk->ids);
    if (walk->ids.n || !waits_for_all(walk->game, tight->state, r))
        return loosen_at_point(walk, tight);
    tight_loosening(walk->game, tight->state, r, &walk->ids);
    for (size_t i = 0; i < walk->ids.n; i++)
        if (is_among_users(&walk->cause, sem_view(tight->state->sem, walk->ids.at[i]).user))
            walk->ids.at[kept++] = walk->ids.at[i];
    walk->ids.n = kept;
    return loosen_at_point(walk, tight);
}

static int look_at_point(struct slack_walk *walk, struct tight *tight)
{
    struct slack_deadlock_search *search = walk->search;
    bool helps = loosening_helps(walk->game, tight, &walk->ids);
    bool deadlock = helps && slack_state_is_deadlock(walk->game, walk->menu, tight->state);
    bool all = search->every || !deadlock;

    walk->harmful = walk->harmful || deadlock;
    search->strayed = search->strayed || (!helps && has_strayed(walk, tight));
    if (!all && tell_cause(walk, tight) < 0)
        return -1;
    if (deadlock && all && seen_add(search->told, tight->state->key))
        search->tell(search->data, tight);
    for (rank_t r = 0; r < walk->game->ranks; r++)
        if (all ? let_rank_go(walk, tight, r) < 0 : is_among_owners(walk, r) && let_owner_go(walk, tight, r) < 0)
            return -1;
    return 0;
}

int slack_deadlock_search(struct game *game, struct menu *menu, struct slack_deadlock_search *search)
{
    struct slack_walk walk = {.game = game, .menu = menu, .search = search};
    struct tight *first = tight_clone(game, search->end->tight);
    int failed = tight_end(game, menu, first);

    walk.begin = first;
    add_point(&walk, tight_clone(game, first));
    while (walk.first < walk.at.n && walk.first < search->most && !failed && !deadline_is_over()) {
        struct tight *tight = walk.at.at[walk.first++];

        failed = look_at_point(&walk, tight);
        tight_free(game, tight);
    }
    search->incomplete = walk.first < walk.at.n;
    while (walk.first < walk.at.n)
        tight_free(game, walk.at.at[walk.first++]);
    for (size_t i = 0; i < walk.met.n && !walk.harmful && !search->incomplete && !failed; i++)
        seen_add(search->harmless, walk.met.at[i]);
    tight_free(game, first);
    vec_release(&walk.met);
    vec_release(&walk.at);
    vec_release(&walk.ids);
    vec_release(&walk.cause);
    seen_release(&walk.seen);
    return failed;
}

/* ---- what a run needs ---- */

/* Lets go whoever is held up by what may be loosened only; `allowed` NULL: by anything. */
static int let_go_allowed(struct game *game, struct menu *menu, struct tight *tight, const users_t *allowed, bool *any)
{
    ids_t ids = {0};
    int failed = 0;

    *any = false;
    for (rank_t r = 0; r < game->ranks && !*any && !failed; r++) {
        tight_needed(game, tight, r, &ids);
        *any = ids.n > 0;
        for (size_t i = 0; i < ids.n && allowed; i++)
            *any = *any && is_among_users(allowed, sem_view(tight->state->sem, ids.at[i]).user);
        if (*any)
            failed = tight_loosen_all(game, menu, tight, &ids);
    }
    vec_release(&ids);
    return failed;
}

/* Goes the way of the run, loosening these alone; tells whether it made all its decisions, and what was loosened. */
static int try_slack(struct game *game, struct menu *menu, const struct pick *path, size_t n, const users_t *allowed,
                     bool *whole, users_t *used)
{
    struct tight *tight = tight_begin(game, SLACK_TIGHT);
    bool any = true;
    int failed = tight ? 0 : -1;

    for (size_t i = 0; i < n && !failed; i++)
        failed = tight_follow(game, menu, tight, path[i]);
    while (any && !failed && tight->owed)
        failed = let_go_allowed(game, menu, tight, allowed, &any);
    *whole = !failed && !tight->owed;
    if (used && !failed)
        vec_copy(used, &tight->loosened);
    if (tight)
        tight_free(game, tight);
    return failed;
}

int slack_needed(struct game *game, struct menu *menu, const struct pick *path, size_t n, size_t most, users_t *needed)
{
    bool whole;

    vec_release(needed);
    if (try_slack(game, menu, path, n, NULL, &whole, needed) < 0)
        return -1;
    if (needed->n > most)
        vec_clear(needed);
    for (size_t i = needed->n; i-- > 0 && !deadline_is_over();) {
        uint32_t user = needed->at[i];

        needed->at[i] = vec_pop(needed);
        if (try_slack(game, menu, path, n, needed, &whole, NULL) < 0)
            return -1;
        if (!whole)
            vec_push(needed, user);
    }
    return 0;
}
