#include "model/json.h"

#include <jansson.h>
#include <inttypes.h>

#include "base/die.h"
#include "call/calls.h"
#include "model/promela.h"
#include "model/words.h"

static json_t *mode_json(const struct op *op)
{
    return json_string(op->flags & OPF_SYNCHRONOUS ? "synchronous"
                       : op->flags & OPF_BUFFERED  ? "buffered"
                       : op->flags & OPF_READY     ? "ready"
                                                   : "standard");
}

static json_t *json_or_any(int number)
{
    return number < 0 ? json_string("any") : json_integer(number);
}

static json_t *numbers_json(const uint32_t *number, uint32_t n)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(list, json_integer(number[i]));
    return list;
}

static json_t *needs_json(const struct op *op)
{
    const struct op_coll *coll = op_tail(op);
    json_t *list = numbers_json(op_coll_list(coll), coll->listed);
    for (uint32_t i = coll->from; i < coll->until; i++)
        json_array_append_new(list, json_integer(i));
    return list;
}

static json_t *op_json(const struct model *model, uint32_t number)
{
    const struct model_op *m = &model->op.at[number];
    const struct op *op = m->op;
    json_t *json = json_pack("{s:i,s:s}", "op", (int)number, "call", call_name(op->call));
    if (op->request)
        json_object_set_new(json, "request", json_integer(op->request));
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
        json_object_update_new(json, json_pack("{s:i,s:i,s:i,s:I,s:o,s:i}", "dest", op->peer, "tag", op->tag, "context",
                                               (int)model_context(model, op->context), "bytes", (json_int_t)op->bytes,
                                               "mode", mode_json(op), "message", (int)m->message));
        break;
    case OP_RECV:
    case OP_PROBE:
    case OP_IPROBE:
        json_object_update_new(json,
                               json_pack("{s:o,s:o,s:i}", "source", json_or_any(op->peer), "tag", json_or_any(op->tag),
                                         "context", (int)model_context(model, op->context)));
        break;
    case OP_COLL:
        json_object_update_new(json, json_pack("{s:i,s:i,s:o}", "context", (int)model_context(model, op->context), "turn",
                                               op->turn, "needs", needs_json(op)));
        break;
    case OP_WAIT:
    case OP_TEST:
        json_object_set_new(json, "requests", numbers_json(op_tail(op), op->items));
        break;
    OP_CASES(OP_CHOICES)
        json_object_set_new(json, "alternatives", json_integer(op->items));
        break;
    OP_CASES(OP_LIFE)
    OP_CASES(OP_SETTINGS)
    OP_CASES(OP_REMARKS)
    OP_CASES(OP_ON_REQUESTS)
    OP_CASES(OP_SERVICES)
    OP_CASES(OP_ENDS)
        break;
    }
    return json;
}

static json_t *item_json(const struct model *model, const struct ret *ret, const struct answer_item *item)
{
    json_t *json = json_object();
    if (item->request)
        json_object_set_new(json, "request", json_integer(item->request));
    if (item->flags & ANSWERED_CHOSEN)
        json_object_set_new(json, "alternative", json_integer(item->source));
    if (item->flags & ANSWERED_CANCELLED)
        json_object_set_new(json, "cancelled", json_true());
    if (item->message)
        json_object_update_new(json, json_pack("{s:i,s:i,s:i}", "source", item->source, "tag", item->message->tag, "message",
                                               (int)model_message(model, item->message)));
    for (uint32_t i = 0; i < item->pieces; i++) {
        const struct answer_piece *piece = &ret->piece[item->first_piece + i];
        char value[17];
        if (i == 0)
            json_object_set_new(json, "values", json_array());
        snprintf(value, sizeof value, "%016" PRIx64, piece->content);
        json_array_append_new(json_object_get(json, "values"),
                              json_pack("{s:i,s:s}", "position", (int)piece->from, "value", value));
    }
    return json;
}

static json_t *edge_json(const struct model *model, const struct model_edge *edge)
{
    json_t *items = json_array();
    for (uint32_t i = 0; i < edge->ret->items; i++)
        json_array_append_new(items, item_json(model, edge->ret, &edge->ret->item[i]));
    return json_pack("{s:i,s:b,s:o,s:i}", "answers", (int)edge->call, "yes", (int)edge->ret->flag, "items", items, "to",
                     (int)edge->to);
}

static json_t *node_json(const struct model *model, uint32_t number)
{
    const struct model_node *node = &model->node.at[number];
    json_t *ops = json_array(), *edges = json_array();
    for (uint32_t i = 0; i < node->count; i++)
        if (op_matters(model->op.at[node->first_op + i].op))
            json_array_append_new(ops, op_json(model, node->first_op + i));
    for (size_t i = 0; i < node->edge.n; i++)
        json_array_append_new(edges, edge_json(model, &node->edge.at[i]));
    return json_pack("{s:i,s:i,s:o,s:s,s:i,s:b,s:o}", "node", (int)number, "rank", node->rank, "ops", ops, "end",
                     words_for_end(node->end), "code", node->code, "round", (int)node->round, "edges", edges);
}

static json_t *outcome_json(const struct model *model, const struct model_outcome *outcome)
{
    json_t *json =
        json_pack("{s:s,s:b}", "end", run_end_name(outcome->end), "less_buffering", (int)outcome->less_slack);
    char *text = promela_outcome(model, outcome);
    json_object_set_new(json, "spin", json_string(text));
    free(text);
    return json;
}

static json_t *context_json(const struct model_context *context)
{
    json_t *members = json_array();
    for (uint32_t i = 0; i < context->group->members; i++)
        json_array_append_new(members, json_integer(context->group->member[i]));
    return members;
}

char *json_print(const struct model *model)
{
    json_t *nodes = json_array(), *start = json_array(), *outcomes = json_array(), *contexts = json_array();
    for (uint32_t i = 1; i < model->node.n; i++)
        json_array_append_new(nodes, node_json(model, i));
    for (int r = 0; r < model->ranks; r++)
        json_array_append_new(start, json_integer(model->start[r]));
    for (size_t i = 0; i < model->outcome.n; i++)
        json_array_append_new(outcomes, outcome_json(model, &model->outcome.at[i]));
    for (size_t i = 0; i < model->context.n; i++)
        json_array_append_new(contexts, context_json(&model->context.at[i]));
    json_t *json = json_pack("{s:i,s:i,s:b,s:o,s:o,s:o,s:o}", "version", 1, "ranks", model->ranks, "complete",
                             model->result.left == 0, "contexts", contexts, "start", start, "nodes", nodes, "outcomes",
                             outcomes);
    char *text = json ? json_dumps(json, JSON_INDENT(1)) : NULL;
    if (!text)
        BUG("a model cannot be written as JSON");
    json_decref(json);
    return text;
}
