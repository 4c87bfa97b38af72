#include "model/model.h"

#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "model/fold.h"
#include "model/outcome.h"

/* One extraction: nodes of the search and how they become nodes of the model. */
struct extraction {
    struct model *model;
    struct explorer *explorer;
    node_id nodes;
    VEC(node_id) *below; /* owns; by node: the passages that lead on from it */
    uint32_t *number;    /* owns; by node: its number in the model; 0: none yet */
    VEC(node_id) agenda; /* nodes that have a number, in this order */
    struct outcomes outcomes; /* by nodes of the search */
};

/* ---- how runs end ---- */

static enum visit note_explored_outcome(void *data, const struct run *run)
{
    struct extraction *e = data;
    outcomes_add(&e->outcomes, run);
    return VISIT_GOOD;
}

static struct model_stand explored_stand(void *data, node_id id, const struct op *call)
{
    const struct extraction *e = data;
    return outcome_stand(e->explorer, id, call);
}

/* ---- nodes ---- */

/* The node of the model that a history is part of: of polls that go round, the first. */
static node_id standing_at(const struct extraction *e, node_id node)
{
    uint32_t period;
    node_id head = explore_round(e->explorer, node, &period);
    return head ? head : node;
}

static uint32_t node_number(struct extraction *e, node_id node)
{
    node = standing_at(e, node);
    if (!e->number[node]) {
        vec_push(&e->agenda, node);
        e->number[node] = (uint32_t)e->agenda.n;
    }
    return e->number[node];
}

static void hang_below(struct extraction *e)
{
    for (node_id i = 1; i <= e->nodes; i++) {
        struct passage passage = explore_passage(e->explorer, i);
        if (passage.ret && passage.ret->noes)
            continue; /* the search goes that way no by no */
        if (passage.from)
            vec_push(&e->below[passage.from], i);
        else
            e->model->start[explore_history(e->explorer, i).rank] = node_number(e, passage.to);
    }
}

static bool is_no_answer(const struct ret *ret)
{
    return !ret->flag;
}

/* Where a poll leads that says no. */
static node_id told_no(const struct extraction *e, node_id node)
{
    for (size_t i = 0; i < e->below[node].n; i++) {
        struct passage passage = explore_passage(e->explorer, e->below[node].at[i]);
        if (is_no_answer(passage.ret))
            return passage.to;
    }
    BUG("polls go round, but nobody was told no");
}

/* Adds the operations of a segment, from its `from`-th on; the number of the first. */
static uint32_t add_ops(struct model *model, const struct history *history, uint32_t from, uint32_t node)
{
    uint32_t first = (uint32_t)model->op.n;
    const struct op *op = history->ops;
    const uint64_t *contents = history->contents;
    for (uint32_t i = 0; i < history->count; i++, op = op_next(op)) {
        if (i >= from)
            vec_push(&model->op, (struct model_op){op, contents, node, 0});
        contents += op_contents(op);
    }
    return first;
}

/* Whatever the call at the end of a history was answered leads on. */
static void add_edges(struct extraction *e, struct model_node *node, node_id from, uint32_t call)
{
    for (size_t i = 0; i < e->below[from].n; i++) {
        struct passage passage = explore_passage(e->explorer, e->below[from].at[i]);
        if (!node->round || !is_no_answer(passage.ret))
            vec_push(&node->edge, (struct model_edge){call, passage.ret, node_number(e, passage.to)});
    }
}

static void add_model_node(struct extraction *e, node_id id)
{
    struct model *model = e->model;
    struct history history = explore_history(e->explorer, id);
    uint32_t period, number = e->number[id];
    bool round = explore_round(e->explorer, id, &period) == id;
    struct model_node node = {.rank = history.rank, .count = history.count, .end = history.end, .code = history.code,
                              .round = round};
    node.first_op = add_ops(model, &history, 0, number);
    add_edges(e, &node, id, node.first_op + node.count - 1);
    node.first_poll = (uint32_t)model->op.n;
    node.polls = round ? period - 1 : 0;
    for (uint32_t i = 0; i < node.polls; i++) {
        id = told_no(e, id);
        history = explore_history(e->explorer, id);
        add_edges(e, &node, id, add_ops(model, &history, history.count - 1, number));
    }
    vec_push(&model->node, node);
}

/* ---- what the operations are about ---- */

static void add_model_context(struct model *model, const struct op *op)
{
    for (size_t i = 0; i < model->context.n; i++)
        if (model->context.at[i].id == op->context)
            return;
    vec_push(&model->context, (struct model_context){op->context, op_tail(op)});
}

uint32_t model_context(const struct model *model, context_t id)
{
    for (uint32_t i = 0; i < model->context.n; i++)
        if (model->context.at[i].id == id)
            return i;
    BUG("a communicator that nobody told of");
}

uint32_t model_position(const struct model *model, uint32_t context, rank_t rank)
{
    const struct op_group *group = model->context.at[context].group;
    for (uint32_t i = 0; i < group->members; i++)
        if (group->member[i] == rank)
            return i;
    BUG("rank %d is in no communicator %u", rank, context);
}

/* What whoever receives it can tell it by. */
static struct map_key message_key(const struct model *model, const struct model_op *send)
{
    struct map_key sum = HASH_START;
    hash_stir(&sum, (uint64_t)model->node.at[send->node].rank);
    hash_stir(&sum, (uint32_t)send->op->tag);
    hash_stir(&sum, send->op->bytes);
    hash_stir(&sum, *send->contents);
    return sum;
}

static void look_at_ops(struct model *model)
{
    struct map messages = {0};
    for (uint32_t i = 1; i < model->op.n; i++) {
        struct model_op *op = &model->op.at[i];
        if (op->op->kind == OP_CONTEXT)
            add_model_context(model, op->op);
        if (op->op->kind != OP_SEND)
            continue;
        struct map_key key = message_key(model, op);
        op->message = map_find(&messages, key, 0);
        if (!op->message)
            map_put(&messages, key, op->message = (uint32_t)messages.n + 1);
    }
    model->messages = (uint32_t)messages.n;
    map_release(&messages);
}

/* Where ranks stand at the end, by nodes of the model. */
static void move_outcomes(struct extraction *e)
{
    struct model *model = e->model;
    model->outcome = e->outcomes.at;
    for (size_t i = 0; i < model->outcome.n; i++)
        for (int r = 0; r < model->ranks; r++) {
            struct model_stand *stand = &model->outcome.at[i].stand[r];
            stand->node = e->number[standing_at(e, stand->node)];
            if (stand->op && model->node.at[stand->node].round)
                stand->op = model->node.at[stand->node].count;
        }
}

/* ---- all of it ---- */

static void release_extraction(struct extraction *e)
{
    for (node_id i = 0; i <= e->nodes && e->below; i++)
        vec_release(&e->below[i]);
    free(e->below);
    free(e->number);
    vec_release(&e->agenda);
    map_release(&e->outcomes.known);
}

static bool all_ranks_began(const struct model *model)
{
    for (int r = 0; r < model->ranks; r++)
        if (!model->start[r])
            return false;
    return true;
}

struct model *model_extract(const struct runner *runner, const struct explore_options *options, bool fold)
{
    struct model *model = xcalloc(1, sizeof *model);
    struct extraction e = {.model = model,
                           .explorer = explore_new(runner, options),
                           .outcomes = {.ranks = options->ranks, .stand = explored_stand}};
    e.outcomes.data = &e;
    model->ranks = options->ranks;
    model->slack = options->slack;
    model->any_slack = options->any_slack;
    model->start = xcalloc((size_t)model->ranks, sizeof *model->start);
    model->explorer = e.explorer;
    vec_push(&model->node, (struct model_node){.rank = RANK_NONE});
    vec_push(&model->op, (struct model_op){0});
    model->result = explore_run(e.explorer, note_explored_outcome, &e);
    if (model->result.windows.slots) { /* keepers are players that the model has no room for */
        release_extraction(&e);
        return model;
    }
    e.nodes = explore_nodes(e.explorer);
    e.below = xcalloc((size_t)e.nodes + 1, sizeof *e.below);
    e.number = xcalloc((size_t)e.nodes + 1, sizeof *e.number);
    hang_below(&e);
    for (size_t i = 0; i < e.agenda.n && all_ranks_began(model); i++)
        add_model_node(&e, e.agenda.at[i]);
    if (all_ranks_began(model))
        move_outcomes(&e);
    release_extraction(&e);
    if (fold)
        model_fold(model);
    outcomes_drop_doubles(&model->outcome, model->ranks);
    look_at_ops(model);
    return model;
}

void model_free(struct model *model)
{
    for (size_t i = 0; i < model->node.n; i++)
        vec_release(&model->node.at[i].edge);
    outcomes_release(&model->outcome);
    vec_release(&model->node);
    vec_release(&model->op);
    vec_release(&model->context);
    free(model->start);
    explore_free(model->explorer);
    free(model);
}
