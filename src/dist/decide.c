#include "dist/decide.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "dist/cancel_outcomes.h"
#include "explore/tree.h"

/* The search tells a rank no this often to see that it polls in a circle (explore/spin.h); one job shows it all. */
enum { MORE_NOES = 24, MANY = 32, FAR_MORE_NOES = 20000 /* to call a rank stuck it wants to see many */ };

void prefix_set(struct run_prefix *prefix, const struct account *account, int ranks)
{
    vec_clear(&prefix->decision);
    for (size_t i = 0; i < account->decisions; i++)
        vec_push(&prefix->decision, account->decision[i]);
    vec_clear(&prefix->pairing);
    for (size_t i = 0; i < account->pairings; i++)
        if (account->pairing[i].made)
            vec_push(&prefix->pairing, account->pairing[i]);
    vec_clear(&prefix->last);
    for (rank_t r = 0; r < ranks; r++)
        vec_push(&prefix->last, account->trail[r].n ? account->trail[r].node[account->trail[r].n - 1] : NODE_NONE);
}

void prefix_release(struct run_prefix *prefix)
{
    vec_release(&prefix->decision);
    vec_release(&prefix->pairing);
    vec_release(&prefix->last);
}

struct writer {
    FILE *out;
    const struct store *store;
    const struct run_prefix *prefix;
    struct map decided; /* rank and operation -> its decision + 1 */
    struct cancel_outcomes cancels;
    node_id *last;      /* by rank */
    /* Of the rank whose lines are being written: */
    rank_t rank;
    uint32_t op;     /* its operations so far, as the search counts them */
    uint64_t posted; /* its sends and receives so far */
    uint64_t choice; /* its choices so far, as the rank counts them */
    uint64_t noes;   /* how often the last choice said no */
    const struct op *poll; /* that said no just now */
    bool asked;      /* what its last call returns is what is asked for */
};

static const struct decision *decision_at(const struct writer *w)
{
    uint32_t i = map_find(&w->decided, map_key2((uint64_t)w->rank, w->op), 0);
    return i ? &w->prefix->decision.at[i - 1] : NULL;
}

/* What the rank counts as a choice (call/causal.h). */
static bool counts_as_choice(const struct op *op)
{
    switch (op_part(op)) {
    case OP_PART_POST:
        return op->kind == OP_RECV && op->peer == RANK_ANY;
    case OP_PART_COMPLETION:
        return op_is_poll(op) || is_selective(op);
    case OP_PART_PROBE:
    case OP_PART_CHOICE:
        return true;
    case OP_PART_NONE:
    case OP_PART_LIFE:
    case OP_PART_SETTING:
    case OP_PART_REMARK:
    case OP_PART_ON_REQUEST:
    case OP_PART_SERVICE:
    case OP_PART_END:
        return false;
    }
    return false;
}

static void put_decision(const struct writer *w, const char *kind, const char *value)
{
    fprintf(w->out, "%d %" PRIu64 " %s %" PRIu64 " %s -\n", w->rank, w->choice, kind, w->noes, value);
}

static void put_number_decision(const struct writer *w, const char *kind, int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, number);
    put_decision(w, kind, text);
}

static void put_set_decision(const struct writer *w, const struct op *op, uint64_t set)
{
    char text[64 * 3 + 1] = "", *at = text;
    for (uint32_t i = 0; i < 64 && i < op->items; i++)
        if (set >> i & 1)
            at += sprintf(at, "%s%u", at == text ? "" : ",", i);
    put_decision(w, "set", text);
}

/* Which of the list were returned. */
static uint64_t returned_set(const struct op *op, const struct ret *ret)
{
    const uint32_t *list = op_tail(op);
    uint64_t set = 0;
    for (uint32_t i = 0; i < op->items && i < 64; i++)
        for (uint32_t k = 0; k < ret->items; k++)
            if (ret->item[k].request == list[i])
                set |= UINT64_C(1) << i;
    return set;
}

static void put_yes(const struct writer *w, const struct op *op, rank_t source, uint64_t set)
{
    if (is_probe(op) && op->peer == RANK_ANY)
        put_number_decision(w, "source", source);
    else if (is_probe(op) || !is_selective(op))
        put_decision(w, "yes", "-");
    else if (set && op->flags & OPF_ANY)
        put_number_decision(w, "index", (int64_t)__builtin_ctzll(set));
    else if (set)
        put_set_decision(w, op, set);
}

/* A probe saw this message, or will; one that is withdrawn is not sent, so the probe is told what to see. */
static void put_glimpse(const struct writer *w, const struct op *op, rank_t source, const struct op *message)
{
    if (cancel_outcome_of(&w->cancels, source, payload_op(w->store, message->payload)) != CANCEL_IN_TIME) {
        put_yes(w, op, source, 0);
        return;
    }
    char *text = xformat("%d,%d,%" PRIu64, source, message->tag, message->bytes);
    put_decision(w, "glimpse", text);
    free(text);
}

/* An operation of a rank in the prefix, as the search counts them; NULL: it is not there. */
static const struct op *op_in_prefix(const struct writer *w, rank_t rank, uint32_t number)
{
    for (node_id id = w->last[rank]; id; id = w->store->node.at[id].parent) {
        const struct op *op = w->store->node.at[id].ops;
        for (uint32_t i = 0; i < w->store->node.at[id].count; i++, op = op_next(op))
            if (op->payload && payload_op(w->store, op->payload) == number)
                return op;
    }
    return NULL;
}

/* How the call came out, in the history; `left`: told no, the rank did something else. */
static void put_returned(struct writer *w, const struct op *op, const struct ret *ret, bool left)
{
    if (op_is_poll(op) && !ret->flag) {
        w->noes++;
        w->poll = op;
        w->noes += !w->asked ? 0 : w->noes < MANY ? MORE_NOES : FAR_MORE_NOES;
        if (left)
            put_decision(w, "no", "-");
        return;
    }
    if (op_chooses(op))
        put_number_decision(w, "index", ret->item[0].source);
    else if (is_probe(op) && ret->items && ret->item[0].message)
        put_glimpse(w, op, ret->item[0].source, ret->item[0].message);
    else
        put_yes(w, op, RANK_NONE, returned_set(op, ret));
}

/* The last decision of the prefix may be how a call comes out that the rank is still in. */
static void put_decided(struct writer *w, const struct op *op)
{
    const struct decision *d = decision_at(w);
    if (!d)
        return;
    const struct op *message = d->kind == DECIDED_SEEN ? op_in_prefix(w, d->source, d->message) : NULL;
    if (d->kind == DECIDED_MATCH)
        put_number_decision(w, "source", d->source);
    else if (d->kind == DECIDED_NO)
        w->noes++, put_decision(w, "no", "-");
    else if (d->kind == DECIDED_CHOICE)
        put_number_decision(w, "index", __builtin_ctzll(d->set));
    else if (message)
        put_glimpse(w, op, d->source, message);
    else if (d->kind == DECIDED_SEEN || d->kind == DECIDED_SOME)
        put_yes(w, op, d->source, d->set == UINT64_MAX ? 0 : d->set);
}

/* Polls that repeat the one before are one choice; the payload is no part of what they are. */
static bool repeats(const struct writer *w, const struct stored *node, const struct op *op)
{
    return w->poll && node->count == 1 && op->size == w->poll->size && memcmp(op, w->poll, op->size) == 0;
}

/* A send or receive. */
static void put_cancel_outcome(struct writer *w)
{
    enum cancel_outcome outcome = cancel_outcome_of(&w->cancels, w->rank, w->op);
    if (outcome != CANCEL_OPEN)
        fprintf(w->out, "%d %s %" PRIu64 " - - -\n", w->rank, outcome == CANCEL_IN_TIME ? "withdrawn" : "matched",
                w->posted);
    w->posted++;
}

/* The operations of one node; `ret` is what its call returns, NULL: that is not known. */
static void put_node_decisions(struct writer *w, const struct stored *node, const struct ret *ret,
                               const struct stored *next)
{
    const struct op *op = node->ops;
    for (uint32_t i = 0; i < node->count; i++, op = op_next(op), w->op++) {
        bool again = repeats(w, node, op), last = i + 1 == node->count;
        if (!again && w->poll)
            w->choice++;
        w->noes = again ? w->noes : 0;
        w->poll = NULL;
        if (op->kind == OP_SEND || op->kind == OP_RECV)
            put_cancel_outcome(w);
        if (!counts_as_choice(op))
            continue;
        bool call = last && ret && node->end == SEGMENT_CALL;
        bool left = !next || next->count != 1 || op->size != next->ops->size ||
                    memcmp(op, next->ops, op->size) != 0;
        if (call && op_wants_answer(op) && op->kind != OP_RECV)
            put_returned(w, op, ret, left);
        else
            put_decided(w, op);
        if (!w->poll)
            w->choice++;
    }
}

static void put_rank_decisions(struct writer *w, rank_t r, node_id last, const struct ret *ret)
{
    VEC(node_id) chain = {0};
    for (node_id id = last; id; id = w->store->node.at[id].parent)
        vec_push(&chain, id);
    w->rank = r;
    w->op = 0;
    w->posted = w->choice = w->noes = 0;
    w->poll = NULL;
    for (size_t i = chain.n; i-- > 0;) {
        const struct stored *node = &w->store->node.at[chain.at[i]];
        const struct stored *next = i ? &w->store->node.at[chain.at[i - 1]] : NULL;
        w->asked = i == 0;
        put_node_decisions(w, node, next ? next->ret : ret, next);
    }
    vec_release(&chain);
}

static bool ends_in_poll(const struct store *store, node_id id)
{
    const struct stored *node = &store->node.at[id];
    const struct op *op = node->ops;
    for (uint32_t i = 0; i + 1 < node->count; i++)
        op = op_next(op);
    return node->count && node->end == SEGMENT_CALL && op_is_poll(op);
}

/* A rank that polls in a round stands at its head (explore/spin.h); what is decided may be how one of the others comes out. */
static void go_round_to_decided(const struct store *store, const struct decision *d, node_id *last)
{
    while (*last && d->op >= store_first_op(store, *last) + store->node.at[*last].count) {
        node_id next = ends_in_poll(store, *last) ? store_after_no(store, *last) : NODE_NONE;
        if (!next)
            return;
        *last = next;
    }
}

char *decide_write(const struct store *store, const struct run_prefix *prefix, rank_t rank, node_id from,
                   const struct ret *ret)
{
    char *text = NULL;
    size_t size;
    struct writer w = {.store = store, .prefix = prefix, .out = open_memstream(&text, &size)};
    for (size_t i = 0; i < prefix->decision.n; i++)
        map_put(&w.decided, map_key2((uint64_t)prefix->decision.at[i].rank, prefix->decision.at[i].op),
                (uint32_t)i + 1);
    w.last = xcalloc((size_t)store->ranks, sizeof *w.last);
    for (rank_t r = 0; r < store->ranks; r++)
        w.last[r] = r == rank && from ? from : (size_t)r < prefix->last.n ? prefix->last.at[r] : NODE_NONE;
    if (prefix->decision.n && vec_last(&prefix->decision).rank != rank)
        go_round_to_decided(store, &vec_last(&prefix->decision), &w.last[vec_last(&prefix->decision).rank]);
    if (store->cancels)
        cancel_outcomes_find(&w.cancels, store, prefix, w.last, rank, ret);
    fputs(CAUSAL_DECISIONS "\n", w.out);
    for (rank_t r = 0; r < store->ranks; r++)
        put_rank_decisions(&w, r, w.last[r], r == rank ? ret : NULL);
    fputs("end\n", w.out);
    fclose(w.out);
    map_release(&w.decided);
    cancel_outcomes_release(&w.cancels);
    free(w.last);
    return text;
}
