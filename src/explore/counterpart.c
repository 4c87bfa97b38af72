#include "explore/counterpart.h"

static rank_t op_owner(const struct game *game, uint32_t user)
{
    return game->tree.node.at[game->tree.op.at[user].node].rank;
}

bool counterpart_is_op(const struct game *game, uint32_t in_run, uint32_t here)
{
    const struct tree_op *a = &game->tree.op.at[in_run], *b = &game->tree.op.at[here];
    rank_t owner = op_owner(game, here);

    if (in_run == here || !game_has_keepers(game))
        return in_run == here;
    if (op_owner(game, in_run) != owner)
        return false;
    return owner >= game->keepers || (a->identity == b->identity && a->op->place == b->op->place);
}

bool counterpart_is_message(const struct game *game, uint64_t in_run, uint64_t here)
{
    if (in_run == here || !game_has_keepers(game))
        return in_run == here;
    return op_owner(game, (uint32_t)in_run) == op_owner(game, (uint32_t)here) &&
           game->tree.op.at[in_run].op->tag == game->tree.op.at[here].op->tag;
}

struct first_debt {
    const struct game *game;
    uint32_t op;
    const struct debt *first;
};

static bool note_if_first(const struct debt *debt, void *data)
{
    struct first_debt *query = data;

    if ((!query->first || debt->turn < query->first->turn) && counterpart_is_op(query->game, debt->op, query->op))
        query->first = debt;
    return false;
}

const struct debt *counterpart_debt(const struct game *game, const struct debts *owed, const struct option *option)
{
    struct first_debt query = {.game = game, .op = option->op};

    if (!game_has_keepers(game))
        return debts_of(owed, option->op);
    debts_any(owed, note_if_first, &query);
    return query.first;
}

/* A debt for the same receive of a keeper, of a message of the same rank with this tag. */
struct debt_for_mail {
    const struct game *game;
    uint32_t op;
    rank_t from;
    int32_t tag;
    const struct debt *first;
};

static bool note_if_first_for_mail(const struct debt *debt, void *data)
{
    struct debt_for_mail *query = data;

    if ((!query->first || debt->turn < query->first->turn) && counterpart_is_op(query->game, debt->op, query->op) &&
        op_owner(query->game, (uint32_t)debt->choice) == query->from &&
        query->game->tree.op.at[debt->choice].op->tag == query->tag)
        query->first = debt;
    return false;
}

const struct debt *counterpart_of_vacant_lock(const struct game *game, const struct debts *owed, const struct debt *next,
                                              const struct option *option)
{
    const struct tree_op *recv = &game->tree.op.at[option->op];
    struct debt_for_mail query = {.game = game, .op = option->op, .tag = WINDOW_EXCLUSIVE};

    if (!game_has_keepers(game) || op_owner(game, option->op) < game->keepers || recv->op->kind != OP_RECV ||
        !keeper_is_lock(game->keepers, op_owner(game, option->op)) ||
        game->tree.op.at[next->choice].op->tag != WINDOW_SHARED || game->tree.op.at[option->choice].op->tag != WINDOW_EXCLUSIVE)
        return NULL;
    query.from = op_owner(game, (uint32_t)option->choice);
    if (op_owner(game, (uint32_t)next->choice) != query.from)
        return NULL;
    debts_any(owed, note_if_first_for_mail, &query);
    return query.first;
}

bool counterpart_pays(const struct game *game, const struct debt *debt, const struct option *option)
{
    const struct op *op = game->tree.op.at[option->op].op;
    bool names_message = op->kind == OP_RECV || (is_probe(op) && debt->choice != ANSWER_NO && option->choice != ANSWER_NO);

    if (names_message)
        return counterpart_is_message(game, debt->choice, option->choice);
    if (op->kind == OP_CANCEL && game_has_keepers(game))
        return (debt->choice & 1) == (option->choice & 1); /* each cancels one operation */
    return debt->choice == option->choice;
}
