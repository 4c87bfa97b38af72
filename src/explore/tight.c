#include "explore/tight.h"

#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "explore/spin.h"

struct tight *tight_begin(struct game *game)
{
    struct tight *tight = xcalloc(1, sizeof *tight);

    tight->state = state_begin(game, SLACK_TIGHT);
    if (tight->state)
        return tight;
    free(tight);
    return NULL;
}

struct tight *tight_clone(const struct game *game, const struct tight *tight)
{
    struct tight *copy = xcalloc(1, sizeof *copy);

    copy->state = state_clone(game, tight->state);
    copy->ended = tight->ended;
    vec_copy(&copy->owed, &tight->owed);
    vec_copy(&copy->loosened, &tight->loosened);
    return copy;
}

void tight_free(const struct game *game, struct tight *tight)
{
    state_free(game, tight->state);
    vec_release(&tight->owed);
    vec_release(&tight->loosened);
    free(tight);
}

static uint64_t times_owed_before(const struct tight *tight, size_t i)
{
    uint64_t times = 0;

    for (size_t k = 0; k < i; k++)
        times += tight->owed.at[k].op == tight->owed.at[i].op;
    return times;
}

/* In which order is no matter, but for decisions of one operation, a poll (find_owed). */
struct map_key tight_key(const struct tight *tight)
{
    struct map_key key = tight->state->key;

    for (size_t i = 0; i < tight->owed.n; i++) {
        struct map_key owed = HASH_START;

        hash_stir(&owed, tight->owed.at[i].op);
        hash_stir(&owed, tight->owed.at[i].choice);
        hash_stir(&owed, times_owed_before(tight, i));
        hash_add(&key, owed);
    }
    return key;
}

/* ---- following ---- */

/* The next that is owed of this operation, if it is this option: else the end. */
static size_t find_owed(const struct tight *tight, const struct option *option)
{
    size_t i = 0;

    while (i < tight->owed.n && tight->owed.at[i].op != option->op)
        i++;
    return i < tight->owed.n && tight->owed.at[i].choice == option->choice ? i : tight->owed.n;
}

static void strike_out(struct tight *tight, size_t i)
{
    tight->owed.n--;
    memmove(&tight->owed.at[i], &tight->owed.at[i + 1], (tight->owed.n - i) * sizeof *tight->owed.at);
}

/* What was seen in the run before it was withdrawn, is to be seen first. */
static bool is_too_early(const struct game *game, const struct tight *tight, const struct option *option)
{
    if (game->tree.op.at[option->op].op->kind != OP_CANCEL)
        return false;
    for (size_t i = 0; i < tight->owed.n; i++)
        if (is_probe(game->tree.op.at[tight->owed.at[i].op].op) && tight->owed.at[i].choice == option->choice >> 1)
            return true;
    return false;
}

/* Whether the run decided that one of these two would not meet the other. */
static bool is_spoken_for(const struct game *game, const struct pick *pick, const struct option *option)
{
    const struct op *op = game->tree.op.at[pick->op].op;

    if (op->kind == OP_CANCEL)
        return pick->choice >> 1 == option->op || pick->choice >> 1 == option->choice;
    return pick->op == option->op ||
           ((op->kind == OP_RECV || op->flags & OPF_TAKE) && pick->choice == option->choice);
}

/*
 * A receive or probe that names its source is a decision while the message may be
 * cancelled.  If the run did not decide it, then because nobody could cancel any
 * more; here, that may come later.
 */
static bool was_certain(const struct game *game, const struct tight *tight, const struct option *option)
{
    const struct op *op = game->tree.op.at[option->op].op;

    if (!tight->ended || (op->kind != OP_RECV && op->kind != OP_PROBE) || op->peer == RANK_ANY)
        return false;
    for (size_t i = 0; i < tight->owed.n; i++)
        if (is_spoken_for(game, &tight->owed.at[i], option))
            return false;
    return true;
}

/* Makes one decision that is owed: 1; 0: none can be made. */
static int pay_one(struct game *game, struct menu *menu, struct tight *tight)
{
    menu_fill(menu, game, tight->state);
    for (size_t i = 0; i < menu->option.n; i++) {
        size_t k = find_owed(tight, &menu->option.at[i]);

        if (k < tight->owed.n && !is_too_early(game, tight, &menu->option.at[i]))
            strike_out(tight, k);
        else if (!was_certain(game, tight, &menu->option.at[i]))
            continue;
        return menu_take(game, tight->state, &menu->option.at[i]) < 0 ? -1 : 1;
    }
    return 0;
}

static int pay(struct game *game, struct menu *menu, struct tight *tight)
{
    int paid = 1;

    while (paid > 0 && (tight->owed.n || tight->ended))
        paid = pay_one(game, menu, tight);
    return paid < 0 ? -1 : 0;
}

int tight_follow(struct game *game, struct menu *menu, struct tight *tight, struct pick pick)
{
    vec_push(&tight->owed, pick);
    return pay(game, menu, tight);
}

int tight_end(struct game *game, struct menu *menu, struct tight *tight)
{
    tight->ended = true;
    return pay(game, menu, tight);
}

/* ---- who is held up, and by what ---- */

typedef VEC(op_id) ids_t;

/* The operations whose completion a call waits for. */
static void list_call(const struct state *state, rank_t r, const struct op *call, ids_t *ids)
{
    uint32_t n;
    const uint32_t *number = call_list(call, &n);

    if (is_probe(call) || call->kind == OP_CANCEL)
        return;
    if (state->player[r].mode == PLAYER_PASSES && state->player[r].passes) {
        vec_push(ids, state->player[r].passes);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        vec_push(ids, state_request(state, r, number[i]));
}

static void keep_loosening(const struct state *state, ids_t *ids)
{
    size_t kept = 0;

    for (size_t i = 0; i < ids->n; i++)
        if (sem_view(state->sem, ids->at[i]).loosens)
            ids->at[kept++] = ids->at[i];
    ids->n = kept;
}

/* The operations of the rank that would complete if they were loosened and that its call is about. */
static void list_loosening(struct game *game, const struct state *state, rank_t r, ids_t *ids)
{
    const struct player *p = &state->player[r];
    uint32_t polls = p->mode == PLAYER_POLLS && p->spins ? game->tree.node.at[p->node].period : 1;
    node_id at = p->node;

    vec_clear(ids);
    if (p->mode == PLAYER_OVER)
        return;
    list_call(state, r, state_call(game, state, r), ids);
    for (uint32_t i = 1; i < polls; i++) {
        at = spin_no(&game->tree, at);
        list_call(state, r, tree_call(&game->tree, at), ids);
    }
    keep_loosening(state, ids);
}

/* Which of the list the call returned in the run. */
static void keep_picked(const struct op *call, uint64_t choice, ids_t *ids)
{
    size_t kept = 0;

    for (size_t i = 0; i < ids->n && is_selective(call) && choice != ANSWER_ALL; i++)
        if (call->flags & OPF_ANY ? choice == i + 1 : choice >> i & 1)
            ids->at[kept++] = ids->at[i];
    if (is_selective(call) && choice != ANSWER_ALL)
        ids->n = kept;
}

/* What the rank's call returned in the run, if that was open and is owed. */
static const struct pick *find_pick(struct game *game, const struct tight *tight, rank_t r)
{
    for (size_t i = 0; i < tight->owed.n; i++) {
        const struct tree_op *op = &game->tree.op.at[tight->owed.at[i].op];
        const struct player *p = &tight->state->player[r];
        bool here = op->node == p->node || (p->spins && game->tree.node.at[op->node].head == p->node);

        if (here && op->op == tree_call(&game->tree, op->node))
            return &tight->owed.at[i];
    }
    return NULL;
}

/*
 * The operations to be loosened so that the rank's call returns as it did in the
 * run; none if that alone does not help.
 */
static void list_needed(struct game *game, const struct tight *tight, rank_t r, ids_t *ids)
{
    const struct player *p = &tight->state->player[r];
    const struct op *call = state_call(game, tight->state, r);
    const struct pick *pick;
    size_t incomplete = 0;

    vec_clear(ids);
    if (p->mode == PLAYER_OVER || p->mode == PLAYER_CANCELS)
        return;
    if (p->mode == PLAYER_POLLS || is_selective(call)) {
        pick = find_pick(game, tight, r);
        if (!pick || pick->choice == ANSWER_NO)
            return;
        call = game->tree.op.at[pick->op].op;
        list_call(tight->state, r, call, ids);
        keep_picked(call, pick->choice, ids);
    } else {
        list_call(tight->state, r, call, ids);
    }
    for (size_t i = 0; i < ids->n; i++)
        incomplete += !sem_view(tight->state->sem, ids->at[i]).complete;
    keep_loosening(tight->state, ids);
    if (ids->n < incomplete)
        vec_clear(ids);
}

/* ---- loosening ---- */

static int loosen(struct game *game, struct menu *menu, struct tight *tight, const ids_t *ids)
{
    for (size_t i = 0; i < ids->n; i++)
        vec_push(&tight->loosened, sem_view(tight->state->sem, ids->at[i]).user);
    if (state_loosen(game, tight->state, ids->at, ids->n) < 0)
        return -1;
    return pay(game, menu, tight);
}

int tight_loosen(struct game *game, struct menu *menu, struct tight *tight, uint32_t user)
{
    ids_t ids = {0};
    op_id found = OP_ID_NONE;

    for (rank_t r = 0; r < game->ranks && !found; r++) {
        list_loosening(game, tight->state, r, &ids);
        for (size_t i = 0; i < ids.n && !found; i++)
            if (sem_view(tight->state->sem, ids.at[i]).user == user)
                found = ids.at[i];
    }
    vec_release(&ids);
    if (!found)
        BUG("nobody is held up by the operation to be loosened");
    if (state_loosen(game, tight->state, &found, 1) < 0)
        return -1;
    return pay(game, menu, tight);
}

/* ---- deadlocks on the way ---- */

/* Whether loosening lets somebody go on; else the run ends here with all slack there is. */
static bool is_held_up(struct game *game, const struct tight *tight, ids_t *ids)
{
    for (rank_t r = 0; r < game->ranks; r++) {
        list_needed(game, tight, r, ids);
        if (ids->n)
            return true;
    }
    return false;
}

/* M9; somebody who came to grief is not waiting. */
static bool is_deadlock(struct game *game, struct menu *menu, const struct state *state)
{
    for (rank_t r = 0; r < game->ranks; r++)
        if (state->player[r].mode == PLAYER_OVER && game->tree.node.at[state->player[r].node].end != SEGMENT_EXIT)
            return false;
    menu_fill(menu, game, state);
    return menu->point.n == 0 && state->clash == RANK_NONE;
}

/* ---- the smallest cause ---- */

static bool is_among(const users_t *users, uint32_t user)
{
    for (size_t i = 0; i < users->n; i++)
        if (users->at[i] == user)
            return true;
    return false;
}

/* Loosens what holds up somebody now, those kept aside; false: there is nothing. */
static int loosen_others(struct game *game, struct menu *menu, struct tight *tight, const users_t *kept, bool *any)
{
    ids_t ids = {0}, others = {0};
    int failed;

    for (rank_t r = 0; r < game->ranks; r++) {
        list_loosening(game, tight->state, r, &ids);
        for (size_t i = 0; i < ids.n; i++)
            if (!is_among(kept, sem_view(tight->state->sem, ids.at[i]).user))
                vec_push(&others, ids.at[i]);
    }
    *any = others.n > 0;
    failed = loosen(game, menu, tight, &others);
    vec_release(&ids);
    vec_release(&others);
    return failed;
}

static int holds_up(struct game *game, struct menu *menu, const struct tight *at, const users_t *kept, bool *result)
{
    struct tight *tight = tight_clone(game, at);
    ids_t ids = {0};
    bool any = true;
    int failed = 0;

    while (any && !failed)
        failed = loosen_others(game, menu, tight, kept, &any);
    *result = !failed && is_deadlock(game, menu, tight->state) && is_held_up(game, tight, &ids);
    vec_release(&ids);
    tight_free(game, tight);
    return failed;
}

static void list_all_loosening(struct game *game, const struct tight *tight, users_t *users)
{
    ids_t ids = {0};

    for (rank_t r = 0; r < game->ranks; r++) {
        list_loosening(game, tight->state, r, &ids);
        for (size_t i = 0; i < ids.n; i++)
            vec_push(users, sem_view(tight->state->sem, ids.at[i]).user);
    }
    vec_release(&ids);
}

int tight_holders(struct game *game, struct menu *menu, const struct tight *tight, users_t *users)
{
    size_t needed = 0; /* so many at the end cannot be left out of those that are there now */

    vec_clear(users);
    list_all_loosening(game, tight, users);
    while (needed < users->n) {
        uint32_t user = users->at[0];
        bool needless;

        users->n--;
        memmove(users->at, users->at + 1, users->n * sizeof *users->at);
        if (holds_up(game, menu, tight, users, &needless) < 0)
            return -1;
        needed = needless ? 0 : needed + 1;
        if (!needless)
            vec_push(users, user);
    }
    return 0;
}

/* ---- all of them ---- */

struct cuts {
    struct game *game;
    struct menu *menu;
    struct tight_search *search;
    VEC(struct tight *) at; /* owns from `first` on */
    size_t first;
    struct seen seen;
    users_t cause;
    ids_t ids;
};

/* Goes on from a point by letting a rank go. */
static int let_go(struct cuts *cuts, const struct tight *tight, rank_t r)
{
    struct tight *next;

    list_needed(cuts->game, tight, r, &cuts->ids);
    if (!cuts->ids.n)
        return 0;
    next = tight_clone(cuts->game, tight);
    if (loosen(cuts->game, cuts->menu, next, &cuts->ids) < 0) {
        tight_free(cuts->game, next);
        return -1;
    }
    if (seen_add(&cuts->seen, next->state->key))
        vec_push(&cuts->at, next);
    else
        tight_free(cuts->game, next);
    return 0;
}

static bool is_among_owners(const struct cuts *cuts, rank_t r)
{
    const struct tree *tree = &cuts->game->tree;

    for (size_t i = 0; i < cuts->cause.n; i++)
        if (tree->node.at[tree->op.at[cuts->cause.at[i]].node].rank == r)
            return true;
    return false;
}

static bool is_behind(const struct cuts *cuts, const struct tight *tight, rank_t r)
{
    const struct player *here = &tight->state->player[r], *there = &cuts->search->end->player[r];

    return here->node != there->node || here->posted != there->posted || here->mode != there->mode;
}

struct look {
    const struct cuts *cuts;
    const struct tight *tight;
    bool behind;
};

static void look_behind(void *data, const struct sem_need *need)
{
    struct look *look = data;

    for (int i = 0; i < need->n; i++)
        look->behind = look->behind || is_behind(look->cuts, look->tight, need->ranks[i]);
}

/* Whether it holds up more than ranks that wait for those that the run's own deadlock holds. */
static bool matters(const struct cuts *cuts, const struct tight *tight)
{
    struct look look = {cuts, tight, !cuts->search->end_is_deadlock};

    for (rank_t r = 0; r < cuts->game->ranks && !look.behind; r++)
        if (is_among_owners(cuts, r))
            sem_needs(tight->state->sem, r, look_behind, &look);
    return look.behind;
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

static int look_at_cut(struct cuts *cuts, const struct tight *tight)
{
    struct tight_search *search = cuts->search;
    bool deadlock = is_deadlock(cuts->game, cuts->menu, tight->state) && is_held_up(cuts->game, tight, &cuts->ids);
    bool all = search->every || !deadlock;
    struct map_key key = tight->state->key;

    if (!all && tight_holders(cuts->game, cuts->menu, tight, &cuts->cause) < 0)
        return -1;
    if (!all)
        add_cause(&key, &cuts->cause);
    if (deadlock && (all || matters(cuts, tight)) && seen_add(search->told, key))
        search->tell(search->data, tight);
    for (rank_t r = 0; r < cuts->game->ranks; r++)
        if ((all || is_among_owners(cuts, r)) && let_go(cuts, tight, r) < 0)
            return -1;
    return 0;
}

int tight_search(struct game *game, struct menu *menu, struct tight_search *search)
{
    struct cuts cuts = {.game = game, .menu = menu, .search = search};
    struct tight *first = tight_clone(game, search->end->tight);
    int failed = tight_end(game, menu, first);

    vec_push(&cuts.at, first);
    seen_add(&cuts.seen, first->state->key);
    while (cuts.first < cuts.at.n && cuts.first < search->most && !failed) {
        struct tight *tight = cuts.at.at[cuts.first++];

        failed = look_at_cut(&cuts, tight);
        tight_free(game, tight);
    }
    search->cut = cuts.first < cuts.at.n;
    while (cuts.first < cuts.at.n)
        tight_free(game, cuts.at.at[cuts.first++]);
    vec_release(&cuts.at);
    vec_release(&cuts.ids);
    vec_release(&cuts.cause);
    seen_release(&cuts.seen);
    return failed;
}
