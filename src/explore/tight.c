#include "explore/tight.h"

#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "explore/counterpart.h"
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

uint64_t state_holds_with_tight(const struct game *game, const struct state *state)
{
    return state_holds(game, state) + (state->tight ? state_holds(game, state->tight->state) : 0);
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

    return is_probe(q->game->tree.op.at[debt->op].op) && counterpart_is_message(q->game, debt->choice, q->option->choice >> 1);
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
        return debt->choice & 1 && (counterpart_is_op(q->game, (uint32_t)(debt->choice >> 1), q->option->op) ||
                                    counterpart_is_message(q->game, debt->choice >> 1, q->option->choice));
    return counterpart_is_op(q->game, debt->op, q->option->op) ||
           ((op->kind == OP_RECV || op->flags & OPF_TAKE) &&
            counterpart_is_message(q->game, debt->choice, q->option->choice));
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

static void pay_debt(struct tight *tight, const struct debt *debt, const struct option *option)
{
    if (tight->paid)
        tight->paid(tight->payer, option);
    tight->owed = debts_strike(tight->owed, debt->op, debt->turn);
}

/* Makes one decision that is owed: 1; 0: none can be made. */
static int pay_one(struct game *game, struct menu *menu, struct tight *tight)
{
    menu_fill(menu, game, tight->state);
    for (size_t i = 0; i < menu->option.n; i++) {
        const struct option *option = &menu->option.at[i];
        const struct debt *debt = counterpart_debt(game, tight->owed, option);

        const struct debt *vacant = debt ? counterpart_of_vacant_lock(game, tight->owed, debt, option) : NULL;

        if (debt && counterpart_pays(game, debt, option) && !option_is_too_early(game, tight, option))
            pay_debt(tight, debt, option);
        else if (vacant)
            pay_debt(tight, vacant, option);
        else if (!option_was_certain(game, tight, option))
            continue;
        return menu_take(game, tight->state, option) < 0 ? -1 : 1;
    }
    return 0;
}

/* Whether a keeper takes a message that is a decision only since its sender has asked for so long. */
static bool answers_asker(const struct game *game, uint32_t user, uint64_t choice)
{
    const struct tree_op *recv = &game->tree.op.at[user];
    const struct op *message;

    if (!game_has_keepers(game) || game->tree.node.at[recv->node].rank < game->keepers || recv->op->kind != OP_RECV)
        return false;
    message = game->tree.op.at[choice].op;
    return message->flags & OPF_ASKS && window_knowledge_is_calm(&game->windows, game->keepers, message);
}

/* Answers one: 1; 0: nobody asks. */
static int answer_asker(struct game *game, struct menu *menu, struct tight *tight)
{
    menu_fill(menu, game, tight->state);
    for (size_t i = 0; i < menu->option.n; i++)
        if (answers_asker(game, menu->option.at[i].op, menu->option.at[i].choice))
            return menu_take(game, tight->state, &menu->option.at[i]) < 0 ? -1 : 1;
    return 0;
}

int tight_answer_askers(struct game *game, struct menu *menu, struct tight *tight)
{
    enum { A_WHILE = 64 };
    struct map_key before = tight->state->key;
    struct seen seen = {0};
    int answered = game_has_keepers(game);

    while (answered > 0 && seen.n < A_WHILE && seen_add(&seen, tight->state->key))
        answered = answer_asker(game, menu, tight);
    seen_release(&seen);
    return answered < 0 ? -1 : !map_key_is_same(before, tight->state->key);
}

static int pay_all(struct game *game, struct menu *menu, struct tight *tight)
{
    int paid = 1;

    while (paid > 0 && (tight->owed || tight->ended))
        paid = pay_one(game, menu, tight);
    return paid;
}

static int pay(struct game *game, struct menu *menu, struct tight *tight)
{
    enum { TURNS = 64 };
    int more = 1;

    for (int i = 0; i < TURNS && more > 0; i++) {
        if (pay_all(game, menu, tight) < 0)
            return -1;
        more = tight_answer_askers(game, menu, tight);
    }
    return more < 0 ? -1 : 0;
}

int tight_follow(struct game *game, struct menu *menu, struct tight *tight, struct pick pick)
{
    if (!answers_asker(game, pick.op, pick.choice))
        tight->owed = debts_add(tight->owed, (struct debt){pick.op, tight->turns, pick.choice});
    tight->turns++;
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

static size_t count_incomplete(const struct state *state, const ids_t *ids)
{
    size_t incomplete = 0;

    for (size_t i = 0; i < ids->n; i++)
        incomplete += !sem_view(state->sem, ids->at[i]).complete;
    return incomplete;
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

/* Of operations that a call waits for: those to be loosened, none if that alone does not help. */
static void keep_if_enough(const struct state *state, ids_t *ids)
{
    size_t incomplete = count_incomplete(state, ids);

    keep_loosening(state, ids);
    if (ids->n < incomplete)
        vec_clear(ids);
}

void tight_loosening_together(struct game *game, const struct state *state, rank_t r, ids_t *ids)
{
    vec_clear(ids);
    list_call(state, r, state_call(game, state, r), ids);
    keep_if_enough(state, ids);
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
    struct game *game;
    const struct player *player;
    const struct debt *first;
};

/* Whether it is that of the call in which the rank is or, if it spins, of one in its round. */
static bool is_call_here(struct game *game, const struct player *p, const struct debt *debt)
{
    uint32_t polls = p->spins ? game->tree.node.at[p->node].period : 1;
    node_id at = p->node;

    if (!game_has_keepers(game)) {
        node_id node = game->tree.op.at[debt->op].node;

        return node == p->node || (p->spins && (game->tree.node.at[node].head == p->node || spin_is_later(&game->tree, p->node, node)));
    }
    for (uint32_t i = 0; i < polls; i++) {
        at = i ? spin_no(&game->tree, at) : at;
        if (counterpart_is_op(game, debt->op, node_call(&game->tree, at)))
            return true;
    }
    return false;
}

static bool is_return(const struct debt *debt, void *data)
{
    struct return_owed *owed = data;
    const struct tree *tree = &owed->game->tree;
    const struct tree_op *op = &tree->op.at[debt->op];

    if ((!owed->first || debt->turn < owed->first->turn) && op->op == tree_call(tree, op->node) &&
        is_call_here(owed->game, owed->player, debt))
        owed->first = debt;
    return false;
}

static const struct debt *find_return(struct game *game, const struct tight *tight, rank_t r)
{
    struct return_owed owed = {.game = game, .player = &tight->state->player[r]};

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

    vec_clear(ids);
    if (p->mode == PLAYER_OVER || p->mode == PLAYER_CANCELS)
        return;
    if (p->mode == PLAYER_WAITS && is_peek(call)) { /* of threads that wait, the first whose request is complete goes on: nobody chooses */
        list_call(tight->state, r, call, ids);
        keep_loosening(tight->state, ids);
        ids->n = ids->n > 1 ? 1 : ids->n;
        return;
    }
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
    keep_if_enough(tight->state, ids);
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
