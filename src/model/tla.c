#include "model/tla.h"

#include "base/die.h"
#include "call/calls.h"
#include "model/agree.h"
#include "model/guard.h"
#include "model/words.h"
#include "sem/sem.h"

/* One model being printed.  Steps of a rank count from 1; its nodes lie one after the other. */
struct tla_printer {
    FILE *file;
    const struct model *model;
    struct bindings *bindings; /* owns */
    uint32_t *step;            /* owns; by node: its first step, or, if it has none, where it leads */
    numbers_t numbers;         /* scratch */
};

/* ---- how many steps there are ---- */

static uint32_t steps_of_op(const struct op *op)
{
    switch (op_part(op)) {
    case OP_PART_POST:
        return op->request ? 1 : 2; /* without a request the rank waits until it is complete */
    case OP_PART_COMPLETION:
        return op->flags & OPF_WENT_ON ? 1 : 0;
    case OP_PART_ON_REQUEST:
        return 1;
    case OP_PART_NONE:
    case OP_PART_LIFE:
    case OP_PART_SETTING:
    case OP_PART_REMARK:
    case OP_PART_PROBE:
    case OP_PART_CHOICE:
    case OP_PART_SERVICE:
    case OP_PART_END:
        return 0;
    }
    return 0;
}

static uint32_t steps_of(const struct model *model, const struct model_node *node)
{
    uint32_t n = node->end != SEGMENT_EXIT;
    for (uint32_t i = 0; i < node->count; i++)
        n += steps_of_op(model->op.at[node->first_op + i].op);
    return n;
}

static bool uses_buffer(const struct model *model, rank_t r)
{
    for (uint32_t i = 1; i < model->op.n; i++)
        if (model->op.at[i].op->kind == OP_SEND && model->op.at[i].op->flags & OPF_BUFFERED && model_rank(model, i) == r)
            return true;
    return false;
}

/* Gives steps to the nodes of a rank; one more than the last is the end. */
static uint32_t lay_out_steps(struct tla_printer *p, rank_t r)
{
    uint32_t next = 1 + uses_buffer(p->model, r);
    for (uint32_t i = 1; i < p->model->node.n; i++)
        if (p->model->node.at[i].rank == r) {
            p->step[i] = next;
            next += steps_of(p->model, &p->model->node.at[i]);
        }
    for (uint32_t i = 1; i < p->model->node.n; i++)
        if (p->model->node.at[i].rank == r && !steps_of(p->model, &p->model->node.at[i]))
            p->step[i] = next;
    return next;
}

/* ---- steps ---- */

static void put_handles(struct tla_printer *p, const uint32_t *request, uint32_t n)
{
    fputs("{", p->file);
    for (uint32_t i = 0; i < n; i++)
        fprintf(p->file, "%s\"q%u\"", i ? ", " : "", request[i]);
    fputs("}", p->file);
}

static void put_number_set(struct tla_printer *p, const char *name)
{
    fprintf(p->file, ", %s |-> {", name);
    for (size_t i = 0; i < p->numbers.n; i++)
        fprintf(p->file, "%s%u", i ? ", " : "", p->numbers.at[i]);
    fputs("}", p->file);
}

static void put_ranks_needed(struct tla_printer *p, const struct op *op)
{
    const struct op_coll *coll = op_tail(op);
    const struct op_group *group = p->model->context.at[model_context(p->model, op->context)].group;
    const char *joint = "{";
    for (uint32_t i = coll->from; i < coll->until; i++, joint = ", ")
        fprintf(p->file, "%s%d", joint, group->member[i]);
    for (uint32_t i = 0; i < coll->listed; i++, joint = ", ")
        fprintf(p->file, "%s%d", joint, group->member[op_coll_list(coll)[i]]);
    fputs(*joint == '{' ? "{}" : "}", p->file);
}

static void put_envelope(struct tla_printer *p, const struct op *op)
{
    fprintf(p->file, ", peer |-> %d, tag |-> %d, comm |-> \"c%u\"", op->peer, op->tag,
            model_context(p->model, op->context));
}

static const char *name_of_send(const struct op *op)
{
    return op->flags & OPF_SYNCHRONOUS ? "Issend"
           : op->flags & OPF_BUFFERED  ? "Ibsend"
           : op->flags & OPF_READY     ? "Irsend"
                                       : "Isend";
}

/* What it joins with is the number of the operation. */
static void put_join(struct tla_printer *p, uint32_t number)
{
    const struct op *op = p->model->op.at[number].op;
    fprintf(p->file, "[call |-> \"Join\", h |-> \"q%u\", what |-> \"part\", comm |-> \"c%u\", value |-> %u, needs |-> ",
            op->request, model_context(p->model, op->context), number);
    put_ranks_needed(p, op);
    vec_clear(&p->numbers);
    for (uint32_t i = 1; i < p->model->op.n; i++)
        if (model_parts_clash(p->model, i, number))
            vec_push(&p->numbers, i);
    put_number_set(p, "clash");
}

/* An operation, without the bracket at its end; what is not told leaves nothing. */
static void put_tla_op(struct tla_printer *p, uint32_t number)
{
    const struct model_op *m = &p->model->op.at[number];
    const struct op *op = m->op;
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
        fprintf(p->file, "[call |-> \"%s\", h |-> \"q%u\", value |-> %u", name_of_send(op), op->request, m->message);
        put_envelope(p, op);
        break;
    case OP_RECV:
        fprintf(p->file, "[call |-> \"Irecv\", h |-> \"q%u\"", op->request);
        put_envelope(p, op);
        break;
    case OP_COLL:
        put_join(p, number);
        break;
    case OP_WAIT:
        fputs("[call |-> \"Waitall\", hs |-> ", p->file);
        put_handles(p, op_tail(op), op->items);
        break;
    case OP_DONE: /* as a send to PROC_NULL, whatever it was */
        fprintf(p->file, "[call |-> \"Isend\", h |-> \"q%u\", value |-> 0, peer |-> %d, tag |-> 0, comm |-> \"c0\"",
                op->request, RANK_NONE);
        break;
    case OP_TAKEN:
        fprintf(p->file, "[call |-> \"Imrecv\", h |-> \"q%u\"", op->request);
        break;
    case OP_FREE:
        fprintf(p->file, "[call |-> \"Request_free\", h |-> \"q%u\"", op->request);
        break;
    case OP_CANCEL:
        fprintf(p->file, "[call |-> \"Cancel\", h |-> \"q%u\"", op->request);
        break;
    case OP_TEST:
    OP_CASES(OP_PROBES)
    OP_CASES(OP_CHOICES)
    OP_CASES(OP_LIFE)
    OP_CASES(OP_SETTINGS)
    OP_CASES(OP_REMARKS)
    OP_CASES(OP_SERVICES)
    OP_CASES(OP_ENDS)
        BUG("an operation of kind %u is no step of a model", op->kind);
    }
}

/* ---- answers ---- */

static void put_returned_values(struct tla_printer *p, const struct ret *ret)
{
    const char *joint = "";
    fputs(", values |-> {", p->file);
    for (uint32_t i = 0; i < ret->items; i++) {
        const struct answer_item *item = &ret->item[i];
        if (!item->message || item->flags & ANSWERED_SEEN)
            continue;
        fprintf(p->file, "%s[h |-> \"q%u\", of |-> {%u}]", joint, item->request,
                model_message(p->model, item->message));
        joint = ", ";
    }
    fputs("}", p->file);
}

static void put_parts(struct tla_printer *p, uint32_t node, const struct ret *ret)
{
    const char *joint = "";
    fputs(", parts |-> {", p->file);
    for (uint32_t i = 0; i < ret->items; i++) {
        const uint32_t *op;
        const struct answer_item *item = &ret->item[i];
        size_t bound = item->pieces ? bindings_find(p->bindings, node, p->model->node.at[node].count, item->request, &op) : 0;
        uint32_t coll = bound ? op[0] : 0;
        for (uint32_t k = 0; k < item->pieces && bound; k++) {
            if (!guard_part(p->model, coll, ret, item, k, &p->numbers))
                continue;
            fprintf(p->file, "%s[h |-> \"q%u\", proc |-> %d", joint, item->request,
                    guard_member(p->model, coll, &ret->piece[item->first_piece + k]));
            put_number_set(p, "of");
            fputs("]", p->file);
            joint = ", ";
        }
    }
    fputs("}", p->file);
}

static void put_when(struct tla_printer *p, uint32_t node, const struct ret *ret)
{
    numbers_t done = {0}, cancelled = {0};
    vec_clear(&p->numbers);
    for (uint32_t i = 0; i < ret->items; i++) {
        const struct answer_item *item = &ret->item[i];
        if (item->flags & ANSWERED_SEEN)
            guard_seen(p->model, item, &p->numbers);
        else if (!(item->flags & ANSWERED_CHOSEN))
            vec_push(&done, item->request);
        if (item->flags & ANSWERED_CANCELLED)
            vec_push(&cancelled, item->request);
    }
    fprintf(p->file, "[when |-> [flag |-> %s", ret->flag ? "TRUE" : "FALSE");
    put_number_set(p, "seen");
    fputs(", done |-> ", p->file);
    put_handles(p, done.at, (uint32_t)done.n);
    fputs(", cancelled |-> ", p->file);
    put_handles(p, cancelled.at, (uint32_t)cancelled.n);
    put_returned_values(p, ret);
    put_parts(p, node, ret);
    fputs("]", p->file);
    vec_release(&done);
    vec_release(&cancelled);
}

/* The words of MPI for how a call waits; a poll that goes round waits. */
static void put_call_name(struct tla_printer *p, const struct op *call, bool waits)
{
    bool poll = op_is_poll(call) && !waits;
    if (call->kind == OP_PROBE || call->kind == OP_IPROBE) {
        const char *name = call->flags & OPF_TAKE ? (poll ? "Improbe" : "Mprobe") : poll ? "Iprobe" : "Probe";
        fprintf(p->file, "[call |-> \"%s\", h |-> \"q%u\"", name, call->request);
        put_envelope(p, call);
        return;
    }
    fprintf(p->file, "[call |-> \"%s%s\", hs |-> ", poll ? "Test" : "Wait",
            call->flags & OPF_ANY ? "any" : call->flags & OPF_SOME ? "some" : "all");
    if (call->kind == OP_WAIT || call->kind == OP_TEST)
        put_handles(p, op_tail(call), call->items);
    else
        put_handles(p, &call->request, 1);
}

static void put_answers(struct tla_printer *p, uint32_t node, uint32_t call)
{
    const struct model_node *n = &p->model->node.at[node];
    const char *joint = "\n            ";
    put_call_name(p, p->model->op.at[call].op, n->round);
    fputs(", then |-> <<", p->file);
    for (size_t i = 0; i < n->edge.n; i++) {
        if (n->edge.at[i].call != call)
            continue;
        fputs(joint, p->file);
        put_when(p, node, n->edge.at[i].ret);
        fprintf(p->file, ", to |-> %u]", p->step[n->edge.at[i].to]);
        joint = ",\n            ";
    }
    fputs(">>]", p->file);
}

static void put_tla_call(struct tla_printer *p, uint32_t node)
{
    const struct model_node *n = &p->model->node.at[node];
    if (!n->polls) {
        put_answers(p, node, n->first_op + n->count - 1);
        return;
    }
    fputs("[call |-> \"Either\", of |-> {", p->file);
    put_answers(p, node, n->first_op + n->count - 1);
    for (uint32_t i = 0; i < n->polls; i++) {
        fputs(", ", p->file);
        put_answers(p, node, n->first_poll + i);
    }
    fputs("}]", p->file);
}

/* ---- ranks ---- */

struct step_range {
    uint32_t next, end; /* step, and the one that is no more */
};

/* Closes a step; the last of a node that ends goes to the end. */
static void close_step(struct tla_printer *p, struct step_range *at, bool is_last)
{
    if (is_last)
        fprintf(p->file, ", goto |-> %u", at->end);
    fputs("]", p->file);
    at->next++;
}

static void open_step(struct tla_printer *p, const struct step_range *at)
{
    fprintf(p->file, "%s\n        (* %u *) ", at->next > 1 ? "," : "", at->next);
}

static void put_tla_node(struct tla_printer *p, uint32_t node, struct step_range *at)
{
    const struct model_node *n = &p->model->node.at[node];
    uint32_t last = at->next + steps_of(p->model, n) - 1;
    bool exits = n->end == SEGMENT_EXIT;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct op *op = p->model->op.at[n->first_op + i].op;
        uint32_t steps = steps_of_op(op);
        if (!steps)
            continue;
        open_step(p, at);
        put_tla_op(p, n->first_op + i);
        close_step(p, at, exits && at->next == last);
        if (steps == 1)
            continue;
        open_step(p, at);
        fputs("[call |-> \"Waitall\", hs |-> {\"q0\"}", p->file);
        close_step(p, at, exits && at->next == last);
    }
    if (exits)
        return;
    open_step(p, at);
    if (n->end == SEGMENT_CALL)
        put_tla_call(p, node);
    else
        fprintf(p->file, "[call |-> \"%s\"]", n->end == SEGMENT_ABORT ? "Abort" : "Crash");
    at->next++;
}

static void put_tla_rank(struct tla_printer *p, rank_t r)
{
    struct step_range at = {.next = 1, .end = lay_out_steps(p, r)};
    fprintf(p->file, "\nRank%d == <<", r);
    if (uses_buffer(p->model, r)) {
        open_step(p, &at);
        fputs("[call |-> \"Buffer_attach\", value |-> 1000000", p->file);
        close_step(p, &at, false);
    }
    for (uint32_t i = 1; i < p->model->node.n; i++)
        if (p->model->node.at[i].rank == r)
            put_tla_node(p, i, &at);
    fprintf(p->file, ">>\nStart%d == %u\n", r, p->step[p->model->start[r]]);
}

static void put_groups(struct tla_printer *p)
{
    const struct model *model = p->model;
    fputs("TheGroup == [", p->file);
    for (uint32_t i = 0; i < model->context.n; i++) {
        const struct op_group *group = model->context.at[i].group;
        fprintf(p->file, "%sc%u |-> <<", i ? ",\n             " : "", i);
        for (uint32_t k = 0; k < group->members; k++)
            fprintf(p->file, "%s%d", k ? ", " : "", group->member[k]);
        fputs(">>", p->file);
    }
    fputs("]\nTheComms == DOMAIN TheGroup\n", p->file);
}

static void put_handle_names(struct tla_printer *p)
{
    uint32_t most = 0;
    for (uint32_t i = 1; i < p->model->op.n; i++)
        most = p->model->op.at[i].op->request > most ? p->model->op.at[i].op->request : most;
    fputs("TheHandles == {\"q0\"", p->file);
    for (uint32_t i = 1; i <= most; i++)
        fprintf(p->file, ", \"q%u\"", i);
    fputs("}\n", p->file);
}

static void put_by_rank(struct tla_printer *p, const char *name, const char *of)
{
    fprintf(p->file, "%s == [p \\in 0 .. %d |-> CASE ", name, p->model->ranks - 1);
    for (int r = 0; r < p->model->ranks; r++)
        fprintf(p->file, "%sp = %d -> %s%d", r ? " [] " : "", r, of, r);
    fputs("]\n", p->file);
}

static const char *slack_name(const struct model *model)
{
    return model->any_slack ? "any" : model->slack == SLACK_INFINITE ? "infinite" : "zero";
}

void tla_print(FILE *file, const struct model *model)
{
    struct tla_printer p = {.file = file, .model = model, .bindings = bindings_new(model)};
    p.step = xcalloc(model->node.n, sizeof *p.step);
    fputs("------------------------------- MODULE Model -------------------------------\n"
          "(* A model made by tourney from the executions of a program; the rules are in spec/ of tourney. *)\n"
          "EXTENDS MPI\n\n",
          file);
    put_groups(&p);
    put_handle_names(&p);
    for (int r = 0; r < model->ranks; r++)
        put_tla_rank(&p, r);
    fputs("\n", file);
    put_by_rank(&p, "TheProgram", "Rank");
    put_by_rank(&p, "TheStart", "Start");
    fprintf(file,
            "=============================================================================\n"
            "Model.cfg:\nINIT Init\nNEXT Next\nINVARIANT NoFault\nCONSTANT N = %d\nCONSTANT Slack = \"%s\"\n"
            "CONSTANT Comms <- TheComms\nCONSTANT Group <- TheGroup\nCONSTANT Handles <- TheHandles\n"
            "CONSTANT Program <- TheProgram\nCONSTANT Start <- TheStart\n",
            model->ranks, slack_name(model));
    free(p.step);
    vec_release(&p.numbers);
    bindings_free(p.bindings);
}

/* ---- what cannot be said ---- */

static char *ambiguous(const struct model *model, struct bindings *bindings)
{
    for (uint32_t i = 1; i < model->node.n; i++)
        for (size_t k = 0; k < model->node.at[i].edge.n; k++) {
            const struct ret *ret = model->node.at[i].edge.at[k].ret;
            const uint32_t *op;
            for (uint32_t j = 0; j < ret->items; j++)
                if (ret->item[j].pieces &&
                    bindings_find(bindings, i, model->node.at[i].count, ret->item[j].request, &op) > 1)
                    return xformat("rank %d completes a collective that may be one of several; try --no-fold",
                                   model->node.at[i].rank);
        }
    return NULL;
}

char *tla_refusal(const struct model *model)
{
    struct bindings *bindings = bindings_new(model);
    char *refusal = guard_refusal(model, bindings);
    if (!refusal)
        refusal = ambiguous(model, bindings);
    if (!refusal && !model->any_slack && model->slack != SLACK_INFINITE && model->slack != SLACK_ZERO)
        refusal = xformat("buffering by size is not in it; it has zero, infinite and any");
    bindings_free(bindings);
    return refusal;
}
