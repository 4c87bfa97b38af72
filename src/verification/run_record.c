#include "verification/run_record.h"

#include "base/map.h"
#include "base/mem.h"
#include "symbols/site.h"

/* How far a rank has been written. */
struct record_walk {
    size_t node;     /* of its trail */
    uint32_t inside; /* operations of that node */
    uint32_t number; /* and in all */
};

struct recorder {
    struct trace_writer *trace;
    struct run_view *view;
    const struct account *account;
    struct symbols *symbols;
    struct record_walk *walk; /* by rank */
    struct map places; /* that are written: rank and address */
};

static void record_place(struct recorder *r, rank_t rank, uint64_t address)
{
    struct trace_place place = {.rank = rank, .address = address};
    struct map_key key = map_key2((uint64_t)rank, address);
    uint32_t known;
    if (!address || map_get(&r->places, key, &known))
        return;
    map_put(&r->places, key, 1);
    struct final_state final = run_view_final_state(r->view);
    site_find(&final, r->symbols, rank, address, &place);
    trace_place(r->trace, &place);
}

static void put_return(struct recorder *r, rank_t rank, const struct ret *ret)
{
    VEC(uint32_t) requests = {0};
    struct trace_return out = {.op = {rank, r->walk[rank].number - 1}, .source = RANK_NONE};
    const struct answer_item *message = NULL;
    uint32_t messages = 0;
    out.flag = ret && ret->flag;
    for (uint32_t i = 0; ret && i < ret->items; i++) {
        vec_push(&requests, ret->item[i].request);
        message = ret->item[i].message ? &ret->item[i] : message;
        messages += ret->item[i].message != NULL;
    }
    if (ret && ret->items == 1 && ret->item[0].flags & ANSWERED_CHOSEN)
        out.source = ret->item[0].source;
    if (messages == 1) {
        out.source = message->source;
        out.tag = message->message->tag;
        out.bytes = message->message->bytes;
    }
    out.requests = (uint32_t)requests.n;
    out.request = requests.at;
    trace_return(r->trace, &out);
    vec_release(&requests);
}

/* Writes the next operation of a rank, and before it what its last call returned; false: there is none. */
static bool put_next(struct recorder *r, rank_t rank)
{
    const struct trail *trail = &r->account->trail[rank];
    struct record_walk *walk = &r->walk[rank];
    for (;;) {
        if (walk->node == trail->n)
            return false;
        struct history history = run_view_history(r->view, trail->node[walk->node]);
        bool last = walk->node + 1 == trail->n;
        if (walk->inside < (last ? trail->posted : history.count)) {
            const struct op *op = history.ops;
            for (uint32_t i = 0; i < walk->inside; i++)
                op = op_next(op);
            trace_op(r->trace, (struct op_ref){rank, walk->number}, op);
            record_place(r, rank, op->place);
            walk->inside++;
            walk->number++;
            return true;
        }
        walk->node++;
        walk->inside = 0;
        if (last)
            return false;
        put_return(r, rank, trail->ret[walk->node]);
    }
}

static void put_up_to(struct recorder *r, struct op_name name)
{
    while (r->walk[name.rank].number <= name.op && put_next(r, name.rank))
        ;
}

/* A match stands behind what met; that gives an order in which it can have been. */
static void record_run(struct recorder *r)
{
    for (size_t i = 0; i < r->account->pairings; i++) {
        struct pairing pairing = r->account->pairing[i];
        if (!pairing.made)
            continue;
        put_up_to(r, pairing.send);
        put_up_to(r, pairing.recv);
        trace_match(r->trace, (struct op_ref){pairing.send.rank, pairing.send.op},
                    (struct op_ref){pairing.recv.rank, pairing.recv.op});
    }
    for (rank_t rank = 0; rank < r->view->ranks; rank++)
        while (put_next(r, rank))
            ;
}

enum trace_end_kind run_record_end(enum run_end end)
{
    switch (end) {
    case RUN_CLEAN:
        return TRACE_ENDED;
    case RUN_DEADLOCK:
    case RUN_LIVELOCK:
        return TRACE_DEADLOCK;
    case RUN_ABORT:
        return TRACE_ABORT;
    case RUN_ERROR:
    case RUN_MISMATCH:
        return TRACE_ERROR;
    case RUN_CRASH:
        return TRACE_CRASH;
    case RUN_REFUSED:
    case RUN_HUNG:
    case RUN_DIVERGED:
    case RUN_UNKNOWN:
    case RUN_STOPPED:
        break;
    }
    return TRACE_STOPPED;
}

int run_record_write(const char *path, const struct trace_head *head, struct run_view *view, struct symbols *symbols)
{
    struct recorder r = {
        .trace = trace_create(path, head), .view = view, .account = run_view_account(view), .symbols = symbols};
    if (!r.trace)
        return -1;
    r.walk = xcalloc((size_t)view->ranks, sizeof *r.walk);
    record_run(&r);
    trace_end(r.trace,
              &(struct trace_end){.kind = run_record_end(view->run->end), .code = view->run->end != RUN_CLEAN});
    free(r.walk);
    map_release(&r.places);
    return trace_close(r.trace);
}
