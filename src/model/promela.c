#include "model/promela.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/die.h"
#include "call/calls.h"
#include "model/agree.h"
#include "model/guard.h"
#include "model/outcome.h"
#include "model/rules.h"
#include "model/words.h"
#include "sem/sem.h"

/* What a byte and a short of Promela can count, and what is kept free. */
enum { MOST_SMALL = 250, MOST_NUMBERS = 32000, CYCLIC = 16 };

struct collective_turn {
    context_t context;
    int32_t turn;
};

struct probed {
    rank_t rank, from;
    uint32_t context;
    int tag;
};

/* One model being printed. */
struct promela_printer {
    FILE *file;
    const struct model *model;
    struct bindings *bindings;       /* owns */
    VEC(struct collective_turn) collective;
    VEC(struct probed) probed;
    numbers_t numbers; /* scratch */
    bool cancels;
};

/* ---- looking through a model ---- */

static uint32_t find_collective(const struct promela_printer *p, const struct op *op)
{
    uint32_t i = 0;
    while (i < p->collective.n && (p->collective.at[i].context != op->context || p->collective.at[i].turn != op->turn))
        i++;
    return i;
}

static uint32_t find_probed(const struct promela_printer *p, rank_t rank, const struct op *op)
{
    uint32_t i = 0, context = model_context(p->model, op->context);
    while (i < p->probed.n && (p->probed.at[i].rank != rank || p->probed.at[i].from != op->peer ||
                               p->probed.at[i].context != context || p->probed.at[i].tag != op->tag))
        i++;
    return i;
}

static void note_turn_or_probe(struct promela_printer *p, uint32_t number)
{
    const struct model_op *op = &p->model->op.at[number];
    if (op->op->kind == OP_COLL && find_collective(p, op->op) == p->collective.n)
        vec_push(&p->collective, (struct collective_turn){op->op->context, op->op->turn});
    if ((op->op->kind == OP_PROBE || op->op->kind == OP_IPROBE) &&
        find_probed(p, model_rank(p->model, number), op->op) == p->probed.n)
        vec_push(&p->probed, (struct probed){model_rank(p->model, number), op->op->peer,
                                             model_context(p->model, op->op->context), op->op->tag});
    p->cancels |= op->op->kind == OP_CANCEL;
}

static struct promela_printer printer_for(const struct model *model)
{
    struct promela_printer p = {.model = model, .bindings = bindings_new(model)};
    for (uint32_t i = 1; i < model->op.n; i++)
        note_turn_or_probe(&p, i);
    return p;
}

static void printer_release(struct promela_printer *p)
{
    bindings_free(p->bindings);
    vec_release(&p->collective);
    vec_release(&p->probed);
    vec_release(&p->numbers);
}

/* ---- how much there is of everything ---- */

struct sizes {
    uint32_t ranks, sends, recvs, requests, collectives, probes;
};

static uint32_t count_kind(const struct model *model, const struct model_node *node, enum op_kind kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < node->count; i++)
        n += model->op.at[node->first_op + i].op->kind == kind;
    return n;
}

/* The most operations of a kind that one rank posts on any way through its nodes; CYCLIC if it may go round. */
static uint32_t longest(const struct model *model, enum op_kind kind)
{
    uint32_t *most = xcalloc(model->node.n, sizeof *most), longest = 0;
    bool grew = true;
    for (size_t round = 0; grew && round <= model->node.n; round++) {
        grew = false;
        for (uint32_t i = 1; i < model->node.n; i++) {
            uint32_t n = most[i] + count_kind(model, &model->node.at[i], kind);
            longest = n > longest ? n : longest;
            for (size_t k = 0; k < model->node.at[i].edge.n; k++) {
                uint32_t *next = &most[model->node.at[i].edge.at[k].to];
                grew |= n > *next;
                *next = n > *next ? n : *next;
            }
        }
    }
    free(most);
    return grew ? CYCLIC : longest;
}

static uint32_t at_least(uint32_t n, uint32_t least)
{
    return n > least ? n : least;
}

static void grow_sizes(struct sizes *sizes, const struct promela_printer *p)
{
    sizes->ranks = at_least((uint32_t)p->model->ranks, sizes->ranks);
    sizes->sends = at_least(longest(p->model, OP_SEND), sizes->sends);
    sizes->recvs = at_least(longest(p->model, OP_RECV), sizes->recvs);
    sizes->collectives = at_least((uint32_t)p->collective.n, sizes->collectives);
    sizes->probes = at_least((uint32_t)p->probed.n, sizes->probes);
    for (uint32_t i = 1; i < p->model->op.n; i++)
        sizes->requests = at_least(p->model->op.at[i].op->request + 1, sizes->requests);
}

/* Bytes of a state, roughly: what SPIN has to be told if it is much. */
static uint32_t state_bytes(const struct sizes *s)
{
    return 200 + s->ranks * (s->sends * 16 + s->recvs * 12 + s->requests * 8 + s->collectives * 3 + s->probes * 2 + 32);
}

/* ---- conditions ---- */

static void put_seen_messages(struct promela_printer *p, rank_t r, const struct op *call,
                              const struct answer_item *item)
{
    uint32_t probe = find_probed(p, r, call);
    guard_seen(p->model, item, &p->numbers);
    for (size_t i = 0; i < p->numbers.n; i++)
        fprintf(p->file, "%sSEES(%u, %d, %u)", i ? " || " : "(", probe, item->source, p->numbers.at[i]);
    fputs(")", p->file);
}

/* The members whose parts a part needs have joined; or all, if the implementation likes it so. */
static void put_needs(struct promela_printer *p, uint32_t number)
{
    const struct model_op *op = &p->model->op.at[number];
    const struct op_coll *coll = op_tail(op->op);
    const struct op_group *group = p->model->context.at[model_context(p->model, op->op->context)].group;
    uint32_t collective = find_collective(p, op->op);
    fputs("(true", p->file);
    for (uint32_t i = coll->from; i < coll->until; i++)
        fprintf(p->file, " && JOINED(%u, %d)", collective, group->member[i]);
    for (uint32_t i = 0; i < coll->listed; i++)
        fprintf(p->file, " && JOINED(%u, %d)", collective, group->member[op_coll_list(coll)[i]]);
    if (coll->until - coll->from < group->members && p->model->any_slack) {
        fprintf(p->file, " && (!STRICT(%u, %d) || (true", collective, model_rank(p->model, number));
        for (uint32_t i = 0; i < group->members; i++)
            fprintf(p->file, " && JOINED(%u, %d)", collective, group->member[i]);
        fputs("))", p->file);
    }
    fputs(")", p->file);
}

/* That members have joined with parts that bring what the answer says. */
static void put_joined_parts(struct promela_printer *p, uint32_t number, const struct ret *ret,
                             const struct answer_item *item)
{
    uint32_t collective = find_collective(p, p->model->op.at[number].op);
    for (uint32_t i = 0; i < item->pieces; i++) {
        rank_t member = guard_member(p->model, number, &ret->piece[item->first_piece + i]);
        if (!guard_part(p->model, number, ret, item, i, &p->numbers))
            continue;
        fputs(" && (false", p->file);
        for (size_t k = 0; k < p->numbers.n; k++)
            fprintf(p->file, " || PART(%u, %d) == %u", collective, member, p->numbers.at[k]);
        fputs(")", p->file);
    }
}

/* That an operation behind a request is complete, with what the answer says. */
static void put_completed(struct promela_printer *p, rank_t r, uint32_t number, const struct ret *ret,
                          const struct answer_item *item)
{
    const struct op *op = p->model->op.at[number].op;
    if (op->kind == OP_COLL) {
        put_needs(p, number);
        put_joined_parts(p, number, ret, item);
        return;
    }
    fprintf(p->file, "DONE(%d, %u)", r, item->request);
    if (p->cancels)
        fprintf(p->file, " && %sCANCELLED(%d, %u)", item->flags & ANSWERED_CANCELLED ? "" : "!", r, item->request);
    if (item->message)
        fprintf(p->file, " && GOT(%d, %u, %u)", r, item->request,
                model_message(p->model, item->message));
}

/* The same for whatever the request may be when `count` operations of the node have been posted. */
static void put_item_guard(struct promela_printer *p, uint32_t node, uint32_t count, const struct ret *ret,
                           const struct answer_item *item)
{
    const uint32_t *op;
    rank_t r = p->model->node.at[node].rank;
    size_t n = bindings_find(p->bindings, node, count, item->request, &op);
    for (size_t i = 0; i < n && n > 1; i++) {
        fprintf(p->file, "%sIS(%d, %u, %u) && ", i ? " || (" : "((", r, item->request, op[i]);
        put_completed(p, r, op[i], ret, item);
        fputs(")", p->file);
    }
    if (n > 1)
        fputs(")", p->file);
    else
        put_completed(p, r, op[0], ret, item);
}

/* ---- a rank ---- */

static const char *mode_macro(const struct op *op)
{
    return op->flags & OPF_SYNCHRONOUS ? "SYNCHRONOUS"
           : op->flags & OPF_BUFFERED  ? "BUFFERED"
           : op->flags & OPF_READY     ? "READY"
                                       : "STANDARD";
}

static const char *macro_or_any(int number, char *room, size_t size)
{
    snprintf(room, size, number < 0 ? "ANY" : "%d", number);
    return room;
}

/* Its rank is done with a request; `sends`: with one that may be a send. */
static void put_over(struct promela_printer *p, rank_t r, uint32_t request, bool sends)
{
    fprintf(p->file, " %s(%d, %u);", sends ? "let_go" : "forget", r, request);
}

/* Stands at an operation until it is complete; nobody asks what it brought. */
static void put_passing(struct promela_printer *p, rank_t r, uint32_t number, uint32_t stand)
{
    fprintf(p->file, " PASS(%d, %u, ", r, stand);
    if (p->model->op.at[number].op->kind == OP_COLL)
        put_needs(p, number);
    else
        fprintf(p->file, "DONE(%d, 0)", r);
    fputs(");", p->file);
    put_over(p, r, 0, true);
}

static void put_passing_wait(struct promela_printer *p, uint32_t node, const struct op *op, uint32_t stand)
{
    const uint32_t *request = op_tail(op);
    rank_t r = p->model->node.at[node].rank;
    fprintf(p->file, " PASS(%d, %u, true", r, stand);
    for (uint32_t i = 0; i < op->items; i++) {
        fputs(" && ", p->file);
        put_item_guard(p, node, stand - 1, &(struct ret){0}, &(struct answer_item){.request = request[i]});
    }
    fputs(");", p->file);
    for (uint32_t i = 0; i < op->items; i++)
        put_over(p, r, request[i], true);
}

static void put_name(struct promela_printer *p, const struct op *op)
{
    fprintf(p->file, "\n        /* %s */", call_name(op->call));
}

/* An operation in the middle of a segment, or the last; `stand`: its place there, from 1. */
static void put_promela_op(struct promela_printer *p, uint32_t node, uint32_t number, uint32_t stand)
{
    const struct model_op *m = &p->model->op.at[number];
    const struct op *op = m->op;
    rank_t r = p->model->node.at[node].rank;
    bool passes = !op->request;
    char from[16], tag[16];
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
        put_name(p, op);
        fprintf(p->file, " send(%d, %d, %u, %d, %s, %" PRIu64 ", %u, %u, %u);", r, op->peer,
                model_context(p->model, op->context), op->tag, mode_macro(op),
                op->bytes > INT_MAX ? (uint64_t)INT_MAX : op->bytes, m->message, op->request, number);
        break;
    case OP_RECV:
        put_name(p, op);
        fprintf(p->file, " recv(%d, %s, %u, %s, %u, %u);", r, macro_or_any(op->peer, from, sizeof from),
                model_context(p->model, op->context), macro_or_any(op->tag, tag, sizeof tag), op->request, number);
        break;
    case OP_COLL:
        put_name(p, op);
        fprintf(p->file, " join(%d, %u, %u, %u);", r, find_collective(p, op), op->request, number);
        break;
    case OP_DONE:
        put_name(p, op);
        fprintf(p->file, " complete(%d, %u, %u);", r, op->request, number);
        return;
    case OP_TAKEN:
        put_name(p, op);
        fprintf(p->file, " receive(%d, %u);", r, op->request);
        return;
    case OP_FREE:
        put_name(p, op);
        put_over(p, r, op->request, true);
        return;
    case OP_CANCEL:
        fprintf(p->file, " REST(%d, %u)\n    };\n    atomic {\n        QUIET ->", r, stand);
        put_name(p, op);
        fprintf(p->file, " cancel(%d, %u);", r, op->request);
        return;
    case OP_WAIT:
        if (op->flags & OPF_WENT_ON) {
            put_name(p, op);
            put_passing_wait(p, node, op, stand);
        }
        return;
    case OP_TEST: /* the last of its segment: told by the answers */
    OP_CASES(OP_PROBES)
    OP_CASES(OP_CHOICES)
    OP_CASES(OP_LIFE)
    OP_CASES(OP_SETTINGS)
    OP_CASES(OP_REMARKS)
    OP_CASES(OP_SERVICES)
    OP_CASES(OP_ENDS)
        return;
    }
    if (passes)
        put_passing(p, r, number, stand);
}

static void put_edge(struct promela_printer *p, uint32_t node, const struct model_edge *edge)
{
    const struct op *call = p->model->op.at[edge->call].op;
    rank_t r = p->model->node.at[node].rank;
    char tag[16];
    fputs("    :: atomic { QUIET", p->file);
    for (uint32_t i = 0; i < edge->ret->items; i++) {
        const struct answer_item *item = &edge->ret->item[i];
        fputs(" && ", p->file);
        if (item->flags & ANSWERED_CHOSEN)
            fputs("true", p->file);
        else if (item->flags & ANSWERED_SEEN)
            put_seen_messages(p, r, call, item);
        else
            put_item_guard(p, node, p->model->node.at[node].count, edge->ret, item);
    }
    fputs(" ->", p->file);
    for (uint32_t i = 0; i < edge->ret->items; i++) {
        const struct answer_item *item = &edge->ret->item[i];
        if (item->flags & ANSWERED_CHOSEN)
            continue;
        if (!(item->flags & ANSWERED_SEEN))
            put_over(p, r, item->request, !item->message && !item->pieces);
        else if (call->flags & OPF_TAKE)
            fprintf(p->file, " take(%d, %d, %u, %s, %u, %u);", r, item->source, model_context(p->model, call->context),
                    macro_or_any(call->tag, tag, sizeof tag), call->request, edge->call);
    }
    fprintf(p->file, " goto N%u }\n", edge->to);
}

static const char *bad_end(enum segment_end end)
{
    static const char *const words[] = {
        [SEGMENT_ABORT] = "calls MPI_Abort",      [SEGMENT_ERROR] = "makes a fatal MPI error",
        [SEGMENT_REFUSED] = "calls what tourney does not take over", [SEGMENT_CRASH] = "crashes",
        [SEGMENT_HUNG] = "makes no call any more", [SEGMENT_DIVERGED] = "is not deterministic"};
    return words[end];
}

static void put_promela_call(struct promela_printer *p, uint32_t number)
{
    const struct model_node *node = &p->model->node.at[number];
    const struct op *call = p->model->op.at[node->first_op + node->count - 1].op;
    fprintf(p->file, "    /* %s%s */\n    if\n", call_name(call->call), node->round ? ", until it says yes" : "");
    for (size_t i = 0; i < node->edge.n; i++)
        put_edge(p, number, &node->edge.at[i]);
    fprintf(p->file, "%s    fi;\n", node->edge.n ? "" : "    :: false -> skip /* in no run does it return */\n");
}

static void put_promela_node(struct promela_printer *p, uint32_t number)
{
    const struct model_node *node = &p->model->node.at[number];
    bool calls = node->end == SEGMENT_CALL;
    fprintf(p->file, "N%u:\n    atomic {\n        QUIET ->\n        ENTER(%d, %u);", number, node->rank, number);
    for (uint32_t i = 0; i < node->count; i++)
        put_promela_op(p, number, node->first_op + i, i + 1);
    fprintf(p->file, "\n        REST(%d, %u)\n    };\n", node->rank, calls ? node->count : 0);
    if (calls)
        put_promela_call(p, number);
    else if (node->end == SEGMENT_EXIT)
        fputs("    goto over;\n", p->file);
    else
        fprintf(p->file, "    fails[%d] = true;\n    assert(false); /* rank %d %s */\n    goto over;\n", node->rank,
                node->rank, bad_end(node->end));
}

static void put_proctype(struct promela_printer *p, rank_t r)
{
    fprintf(p->file, "\nactive proctype rank%d()\n{\n    goto N%u;\n", r, p->model->start[r]);
    for (uint32_t i = 1; i < p->model->node.n; i++)
        if (p->model->node.at[i].rank == r)
            put_promela_node(p, i);
    fputs("over:\nend:\n    false\n}\n", p->file);
}

/* ---- the whole ---- */

/* Pairs of parts that do not agree. */
static void put_clashes(struct promela_printer *p)
{
    const struct model *model = p->model;
    for (uint32_t i = 1; i < model->op.n; i++)
        for (uint32_t k = i + 1; k < model->op.n; k++)
            if (model_parts_clash(model, i, k))
                fprintf(p->file, " \\\n    || (PART(%u, %d) == %u && PART(%u, %d) == %u)",
                        find_collective(p, model->op.at[i].op), model_rank(model, i), i,
                        find_collective(p, model->op.at[k].op), model_rank(model, k), k);
}

static void put_watches(struct promela_printer *p)
{
    char from[16], tag[16];
    for (uint32_t i = 0; i < p->probed.n; i++)
        fprintf(p->file, "; watch(%u, %d, %s, %u, %s)", i, p->probed.at[i].rank,
                macro_or_any(p->probed.at[i].from, from, sizeof from), p->probed.at[i].context,
                macro_or_any(p->probed.at[i].tag, tag, sizeof tag));
}

static void put_slack(FILE *file, const struct model *model)
{
    if (model->any_slack)
        fputs("AS_MPI_LIKES\n", file);
    else if (model->slack == SLACK_INFINITE || model->slack > INT_MAX)
        fputs("INFINITE\n", file);
    else
        fprintf(file, "%" PRIu64 "\n", model->slack);
}

static void put_head(struct promela_printer *p, const struct sizes *sizes)
{
    fprintf(p->file,
            "/*\n * A model made by tourney from the executions of a program, with the rules of MPI.\n *\n"
            " *     spin -a FILE && gcc -O2 -DSAFETY%s -o pan pan.c && ./pan\n%s */\n",
            state_bytes(sizes) > 1000 ? " -DVECTORSZ=65536" : "",
            p->model->result.left ? " *\n * It lacks runs: the search was cut short.\n" : "");
    fprintf(p->file,
            "#define RANKS %u\n#define SENDS %u\n#define RECVS %u\n#define REQUESTS %u\n#define MEETINGS %u\n"
            "#define PROBES %u\n#ifndef SLACK\n#define SLACK ",
            sizes->ranks, sizes->sends, sizes->recvs, sizes->requests, sizes->collectives, sizes->probes);
    put_slack(p->file, p->model);
    fputs("#endif\n#define CLASH (clash", p->file);
    put_clashes(p);
    fputs(")\n#define WATCH skip", p->file);
    put_watches(p);
    fprintf(p->file, "\n\n%s", rules_promela);
}

void promela_print(FILE *file, const struct model *model)
{
    struct promela_printer p = printer_for(model);
    struct sizes sizes = {.sends = 1, .recvs = 1, .requests = 1, .collectives = 1, .probes = 1};
    p.file = file;
    grow_sizes(&sizes, &p);
    put_head(&p, &sizes);
    for (rank_t r = 0; r < model->ranks; r++)
        put_proctype(&p, r);
    printer_release(&p);
}

/* ---- what cannot be said ---- */

static char *too_much(const struct sizes *sizes, const struct model *model)
{
    if (sizes->ranks > MOST_SMALL || sizes->sends > MOST_SMALL || sizes->recvs > MOST_SMALL ||
        sizes->requests > MOST_SMALL)
        return xformat("SPIN counts to %d, and a rank has %u sends, %u receives or %u requests", MOST_SMALL, sizes->sends,
                       sizes->recvs, sizes->requests);
    if (model->op.n > MOST_NUMBERS)
        return xformat("it has %zu operations, and SPIN counts to %d", model->op.n, MOST_NUMBERS);
    return NULL;
}

char *promela_refusal(const struct model *model)
{
    struct promela_printer p = printer_for(model);
    struct sizes sizes = {0};
    grow_sizes(&sizes, &p);
    char *refusal = too_much(&sizes, model);
    if (!refusal)
        refusal = guard_refusal(model, p.bindings);
    printer_release(&p);
    return refusal;
}

char *promela_outcome(const struct model *model, const struct model_outcome *outcome)
{
    char *text = NULL;
    size_t size;
    FILE *file = outcome->end == RUN_MISMATCH ? NULL : open_memstream(&text, &size);
    if (!file)
        return xstrdup("mismatch");
    fputs("end", file);
    for (int r = 0; r < model->ranks; r++)
        if (outcome_tells(outcome, r))
            fprintf(file, " %u.%u", outcome->stand[r].node, outcome->stand[r].op);
        else
            fputs(" -", file);
    fclose(file);
    return text;
}
