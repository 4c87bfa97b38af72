#include "explore/tight.h"

#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "explore/invariants.h"
#include "explore/spin.h"

struct tight *tight_begin(struct game *game, uint64_t slack)
{
    struct tight *tight = xcalloc(1, sizeof *tight);

    tight->state = state_begin(game, slack);
    if (tight->state)
        return tight;
    free(tight);
    return NULL;
}

struct tight *tight_clone(const struct game *game, const struct tight *tight)
{
    struct tight *copy = xcalloc(1, sizeof *copy);

    CHECKED(tight_check_invariants(tight));
    copy->state = state_clone(game, tight->state);
    copy->turns = tight->turns;
    copy->ended = tight->ended;
    copy->mixed = tight->mixed;
    copy->owed = debts_hold(tight->owed);
    vec_copy(&copy->loosened, &tight->loosened);
    return copy;
}

void tight_free(const struct game *game, struct tight *tight)
{
    state_free(game, tight->state);
    debts_release(tight->owed);
    vec_release(&tight->loosened);
    free(tight);
}

struct state *state_clone_with_tight(const struct game *game, const struct state *state)
{
    struct state *copy = state_clone(game, state);

    if (state->tight)
        copy->tight = tight_clone(game, state->tight);
    return copy;
}

void state_free_with_tight(const struct game *game, struct state *state)
{
    if (state->tight)
        tight_free(game, state->tight);
    state_free(game, state);
}

struct map_key tight_key(const struct tight *tight)
{
    struct map_key key = tight->state->key;

    hash_stir_key(&key, debts_key(tight->owed));
    return key;
}

/* ---- following ---- */

/* An option of the second state, for questions to each debt. */
struct question {
    const struct game *game;
    const struct option *option;
};

static bool shows_it(const struct debt *debt, void *data)
{
    const struct question *q = data;

    return is_probe(q->game->tree.op.at[debt->op].op) && debt->choice == q->option->choice >> 1;
}

/* What was seen in the run before it was withdrawn, is to be seen first. */
static bool option_is_too_early(const struct game *game, const struct tight *tight, const struct option *option)
{
    return game->tree.op.at[option->op].op->kind == OP_CANCEL && option->choice & 1 &&
           debts_any(tight->owed, shows_it, &(struct question){game, option});
}

/* Whether the run decided that one of these two would not meet the other. */
static bool speaks_for_it(const struct debt *debt, void *data)
{
    const struct question *q = data;
    const struct op *op = q->game->tree.op.at[debt->op].op;

    if (op->kind == OP_CANCEL)
        return debt->choice & 1 &&
               (debt->choice >> 1 == q->option->op || debt->choice >> 1 == q->option->choice);
    return debt->op == q->option->op ||
           ((op->kind == OP_RECV || op->flags & OPF_TAKE) && debt->choice == q->option->choice);
}

/*
 * A receive or probe that names its source is a decision while the message may be
 * cancelled.  If the run did not decide it, then because nobody could cancel any
 * more; here, that may come later.
 */
static bool option_was_certain(const struct game *game, const struct tight *tight, const struct option *option)
{
    const struct op *op = game->tree.op.at[option->op].op;

    if (!tight->ended || (op->kind != OP_RECV && op->kind != OP_PROBE) || op->peer == RANK_ANY)
        return false;
    return !debts_any(tight->owed, speaks_for_it, &(struct question){game, option});
}

/* Makes one decision that is owed: 1; 0: none can be made. */
static int pay_one(struct game *game, struct menu *menu, struct tight *tight)
{
    menu_fill(menu, game, tight->state);
    for (size_t i = 0; i < menu->option.n; i++) {
        const struct option *option = &menu->option.at[i];
        const struct debt *debt = debts_of(tight->owed, option->op);

        if (debt && debt->choice == option->choice && !option_is_too_early(game, tight, option))
            tight->owed = debts_strike(tight->owed, option->op);
        else if (!option_was_certain(game, tight, option))
            continue;
        return menu_take(game, tight->state, option) < 0 ? -1 : 1;
    }
    return 0;
}

static int pay(struct game *game, struct menu *menu, struct tight *tight)
{
    int paid = 1;

    while (paid > 0 && (tight->owed || tight->ended))
        paid = pay_one(game, menu, tight);
    return paid < 0 ? -1 : 0;
}

int tight_follow(struct game *game, struct menu *menu, struct tight *tight, struct pick pick)
{
    tight->owed = debts_add(tight->owed, (struct debt){pick.op, tight->turns++, pick.choice});
    return pay(game, menu, tight);
}

int tight_end(struct game *game, struct menu *menu, struct tight *tight)
{
    tight->ended = true;
    return pay(game, menu, tight);
}

/* ---- who is held up, and by what ---- */

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
void tight_loosening(struct game *game, const struct state *state, rank_t r, ids_t *ids)
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

/* What a rank's call returned in the run, if that was open and is owed: the first time. */
struct return_owed {
    const struct tree *tree;
    const struct player *player;
    const struct debt *first;
};

static bool is_return(const struct debt *debt, void *data)
{
    struct return_owed *owed = data;
    const struct tree_op *op = &owed->tree->op.at[debt->op];
    const struct player *p = owed->player;
    bool here = op->node == p->node || (p->spins && owed->tree->node.at[op->node].head == p->node);

    if (here && op->op == tree_call(owed->tree, op->node) && (!owed->first || debt->turn < owed->first->turn))
        owed->first = debt;
    return false;
}

static const struct debt *find_return(const struct game *game, const struct tight *tight, rank_t r)
{
    struct return_owed owed = {.tree = &game->tree, .player = &tight->state->player[r]};

    debts_any(tight->owed, is_return, &owed);
    return owed.first;
}

/*
 * The operations to be loosened so that the rank's call returns as it did in the
 * run; none if that alone does not help.
 */
void tight_needed(struct game *game, const struct tight *tight, rank_t r, ids_t *ids)
{
    const struct player *p = &tight->state->player[r];
    const struct op *call = state_call(game, tight->state, r);
    const struct debt *debt;
    size_t incomplete = 0;

    vec_clear(ids);
    if (p->mode == PLAYER_OVER || p->mode == PLAYER_CANCELS)
        return;
    if (p->mode == PLAYER_POLLS || is_selective(call)) {
        debt = find_return(game, tight, r);
        if (!debt || debt->choice == ANSWER_NO)
            return;
        call = game->tree.op.at[debt->op].op;
        list_call(tight->state, r, call, ids);
        keep_picked(call, debt->choice, ids);
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

int tight_loosen_all(struct game *game, struct menu *menu, struct tight *tight, const ids_t *ids)
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
        tight_loosening(game, tight->state, r, &ids);
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
