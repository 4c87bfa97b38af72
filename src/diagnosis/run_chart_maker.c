#include "diagnosis/run_chart_maker.h"

#include <string.h>

#include "base/hash.h"
#include "call/complaint.h"
#include "call/dynamic.h"
#include "call/window.h"
#include "diagnosis/window_chart.h"
#include "symbols/site.h"
#include "symbols/stack.h"
#include "words/describe.h"
#include "words/text.h"

enum { MOST = 20000 }; /* operations that are written down: what a reader, and a browser, can take in */

struct run_maker {
    struct run_view *view;
    struct symbols *symbols;
    struct final_state final;
    struct run_chart *execution;
    struct map texts;    /* hash of a text -> its index */
    struct map places;   /* address -> index */
    struct map turns;    /* context and turn of a collective -> its index */
    struct window_chart windows;
};

/* ---- what many operations share ---- */

static uint32_t add_chart_text(struct run_maker *maker, char *text)
{
    uint64_t sum = hash_bytes(0, text, strlen(text));
    uint32_t at;
    if (map_get(&maker->texts, map_key(sum), &at)) {
        free(text);
        return at;
    }
    at = (uint32_t)maker->execution->texts.n;
    map_put(&maker->texts, map_key(sum), at);
    vec_push(&maker->execution->texts, text);
    return at;
}

static uint32_t add_op_text(struct run_maker *maker, rank_t r, const struct op *op)
{
    struct text text;
    text_open(&text);
    if (op->kind == OP_CRASH)
        fputs(op->code ? strsignal(op->code) : "makes no call for a long time", text.out);
    else if (op->kind == OP_COMPLAINT)
        describe_text(text.out, complaint_text(op));
    else
        describe_op(text.out, &maker->final, r, op);
    return add_chart_text(maker, text_close(&text));
}

static int32_t add_chart_place(struct run_maker *maker, const struct trace_place *place)
{
    struct map_key key = map_key2(run_view_program(maker->view, place->rank), place->address);
    uint32_t at;
    if (map_get(&maker->places, key, &at))
        return (int32_t)at;
    at = (uint32_t)maker->execution->places.n;
    map_put(&maker->places, key, at);
    vec_push(&maker->execution->places, named_place_of(place));
    return (int32_t)at;
}

static pid_t process_in_view(const struct run_maker *maker, rank_t r)
{
    struct final_state final = run_view_final_state(maker->view);
    return final.process(final.data, r);
}

static int32_t chart_place_at(struct run_maker *maker, rank_t r, uint64_t address)
{
    uint32_t at;
    if (!address)
        return -1;
    if (map_get(&maker->places, map_key2(run_view_program(maker->view, r), address), &at))
        return (int32_t)at;
    struct trace_place place = {.address = address};
    struct final_state final = run_view_final_state(maker->view);
    site_find(&final, maker->symbols, r, address, &place);
    place.rank = r;
    return add_chart_place(maker, &place);
}

/* Of a complaint: its process may be gone, but it has named the file. */
static int32_t place_in_file(struct run_maker *maker, rank_t r, uint64_t address, const char *file, uint64_t offset)
{
    struct trace_place place = {.rank = r, .address = address};
    symbols_file_place(maker->symbols, file, offset, &place);
    return add_chart_place(maker, &place);
}

/* ---- what a rank did ---- */

/* One rank, operation by operation. */
struct trail_walk {
    struct run_maker *maker;
    rank_t rank;
    struct lane *lane;
    uint32_t number;        /* of the operation */
    uint32_t told, all;     /* before it, and in all: counts of those that are written down */
    uint32_t room;          /* how many may be */
    struct map requests;    /* request -> the latest operation with it */
    struct map news;        /* requests whose latest operation asks a window for news */
    const struct op *last;  /* that is told, or would be, and whether it */
    bool last_awaits_news;  /* waits for nothing but news, */
    bool last_is_rest;      /* and was left out for that (is_rest_of_call) */
    struct act *act;        /* being made */
};

static void add_act_request(struct trail_walk *walk, uint32_t request)
{
    uint32_t number;
    if (map_get(&walk->requests, map_key(request), &number))
        vec_push(&walk->act->requests, number);
}

static void add_requests(struct trail_walk *walk, const struct op *op)
{
    const uint32_t *listed = op_tail(op);
    if (op->kind == OP_CANCEL || op->kind == OP_FREE)
        add_act_request(walk, op->request);
    for (uint32_t i = 0; (op->kind == OP_WAIT || op->kind == OP_TEST) && i < op->items; i++)
        add_act_request(walk, listed[i]);
}

static void add_act_frame(void *data, const struct trace_place *place, const char *call)
{
    struct trail_walk *walk = data;
    if (!call)
        vec_push(&walk->act->stack, add_chart_place(walk->maker, place));
}

static void add_act_stack(struct trail_walk *walk, const struct op *op)
{
    struct run_maker *maker = walk->maker;
    stack_tell(maker->symbols, process_in_view(maker, walk->rank), op->items, op_tail(op), add_act_frame, walk);
    if (walk->act->stack.n)
        walk->act->place = walk->act->stack.at[0];
}

static bool is_completed(const struct lane *lane, size_t from, uint32_t op)
{
    for (size_t i = from; i < lane->acts.n; i++)
        for (size_t k = 0; lane->acts.at[i].kind == OP_WAIT && k < lane->acts.at[i].requests.n; k++)
            if (lane->acts.at[i].requests.at[k] == op)
                return true;
    return false;
}

/* The complaint names the line that started the operation: all that were started there and not waited for may be it. */
static void add_access(struct trail_walk *walk, const struct op *op)
{
    struct trace_place other = {.rank = walk->rank};
    symbols_file_place(walk->maker->symbols, complaint_other_file(op), op->signature, &other);
    struct named_place since = named_place_of(&other);
    walk->act->place = place_in_file(walk->maker, walk->rank, op->place, complaint_file(op), op->bytes);
    for (size_t i = 0; i < walk->lane->acts.n; i++) {
        const struct act *act = &walk->lane->acts.at[i];
        if (act->place >= 0 && !act->blocking && (act->kind == OP_SEND || act->kind == OP_RECV || act->kind == OP_COLL) &&
            strcmp(walk->maker->execution->places.at[act->place].place, since.place) == 0 &&
            !is_completed(walk->lane, i + 1, act->op))
            vec_push(&walk->act->requests, act->op);
    }
    named_place_release(&since);
}

static void add_act(struct trail_walk *walk, const struct op *op)
{
    struct act act = {.op = walk->number,
                      .kind = op->kind,
                      .thread = op->thread,
                      .text = add_op_text(walk->maker, walk->rank, op),
                      .place = op->kind == OP_COMPLAINT ? -1 : chart_place_at(walk->maker, walk->rank, op->place),
                      .blocking = (op->flags & OPF_BLOCKING) != 0,
                      .window = -1,
                      .frame = -1};
    walk->act = &act;
    window_chart_complete(&walk->maker->windows, op, (struct op_name){walk->rank, walk->number}, &act);
    add_requests(walk, op);
    if (op->kind == OP_CRASH)
        add_act_stack(walk, op);
    if (op->kind == OP_COMPLAINT)
        add_access(walk, op);
    vec_push(&walk->lane->acts, act);
}

static void join_gathering(struct trail_walk *walk, const struct op *op)
{
    struct run_chart *execution = walk->maker->execution;
    struct map_key key = map_key2(op->context, (uint64_t)op->turn);
    uint32_t at;
    if (!map_get(&walk->maker->turns, key, &at)) {
        at = (uint32_t)execution->collectives.n;
        map_put(&walk->maker->turns, key, at);
        vec_push(&execution->collectives, (struct gathering){0});
    }
    vec_push(&execution->collectives.at[at].members, (struct op_name){walk->rank, walk->number});
}

/* The first and the last of many. */
static bool has_room(const struct trail_walk *walk)
{
    return walk->all <= walk->room || walk->told < walk->room / 2 || walk->told >= walk->all - walk->room / 2;
}

static bool asks_for_news(const struct op *op)
{
    return op->kind == OP_RECV && op->context == KEEPER_CONTEXT && op->tag == WINDOW_NEWS;
}

static bool awaits_news(const struct trail_walk *walk, const struct op *op)
{
    const uint32_t *listed = op_tail(op);
    uint32_t known;
    if (op->kind != OP_WAIT || op->payload || !op->items)
        return false;
    for (uint32_t i = 0; i < op->items; i++)
        if (!map_get(&walk->news, map_key(listed[i]), &known))
            return false;
    return true;
}

/*
 * A call that was told already waits for what others have changed in windows, too: how windows are played, and no step of the program.  One that does nothing
 * else, such as MPI_Win_sync, is told by that.
 */
static bool is_rest_of_call(const struct trail_walk *walk, const struct op *op)
{
    bool same_call = walk->last && walk->last->call == op->call && walk->last->place == op->place;
    return awaits_news(walk, op) && same_call && (!walk->last_awaits_news || walk->last_is_rest);
}

static void note_last(struct trail_walk *walk, const struct op *op)
{
    bool is_rest = is_rest_of_call(walk, op);
    walk->last_awaits_news = awaits_news(walk, op);
    walk->last_is_rest = is_rest;
    walk->last = op;
}

static void chart_op(struct trail_walk *walk, const struct op *op)
{
    bool told = run_chart_tells(op), shown = told && has_room(walk) && !is_rest_of_call(walk, op);
    window_chart_see(&walk->maker->windows, op, walk->rank, walk->lane->acts.n ? &vec_last(&walk->lane->acts) : NULL);
    if (shown) {
        add_act(walk, op);
        if (op->kind == OP_COLL)
            join_gathering(walk, op);
    } else {
        walk->lane->left_out += told && !has_room(walk);
        window_chart_leave_out(&walk->maker->windows, op, walk->rank);
    }
    if (told)
        note_last(walk, op);
    if (asks_for_news(op))
        map_put(&walk->news, map_key(op->request), 1);
    else if (op->request && op_posts(op))
        map_remove(&walk->news, map_key(op->request));
    if (op->request && (op_posts(op) || op->flags & OPF_TAKE))
        map_put(&walk->requests, map_key(op->request), walk->number);
    else if (op->kind == OP_DONE)
        map_remove(&walk->requests, map_key(op->request));
    walk->told += told;
    walk->number++;
}

static void count_told_op(struct trail_walk *walk, const struct op *op)
{
    walk->all += run_chart_tells(op);
}

static void walk_trail(struct trail_walk *walk, void (*each)(struct trail_walk *, const struct op *))
{
    const struct run_view *view = walk->maker->view;
    const struct trail *trail = &view->account->trail[walk->rank];
    for (size_t n = 0; n < trail->n; n++) {
        struct history history = run_view_history(view, trail->node[n]);
        const struct op *op = history.ops;
        uint32_t posted = n + 1 == trail->n ? trail->posted : history.count;
        for (uint32_t i = 0; i < posted; i++, op = op_next(op))
            each(walk, op);
    }
}

/* Of a run that somebody visits; else of an account, which may stop on the way. */
static enum rank_stand stand_of_lane(const struct run_maker *maker, rank_t r)
{
    struct final_state final = run_view_final_state(maker->view);
    int code;
    if (maker->view->run)
        return final.stand(final.data, r, &code);
    const struct trail *trail = &maker->view->account->trail[r];
    struct history last = run_view_history(maker->view, trail->node[trail->n - 1]);
    if (last.count == 1 && op_awaits_birth(last.ops))
        return RANK_UNBORN;
    if (last.end != SEGMENT_EXIT || trail->posted < last.count)
        return RANK_IN_CALL;
    return last.finished ? RANK_FINALIZED : RANK_EXITED;
}

static void add_lane(struct run_maker *maker, rank_t r)
{
    struct lane lane = {.end = stand_of_lane(maker, r)};
    struct trail_walk walk = {.maker = maker, .rank = r, .lane = &lane, .room = MOST / (uint32_t)maker->view->ranks};
    walk_trail(&walk, count_told_op);
    walk_trail(&walk, chart_op);
    map_release(&walk.requests);
    map_release(&walk.news);
    vec_push(&maker->execution->lanes, lane);
}

/* ---- what met ---- */

static bool is_act_kept(const struct run_chart *execution, struct op_name name)
{
    const struct lane *lane = &execution->lanes.at[name.rank];
    size_t low = 0, high = lane->acts.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (lane->acts.at[middle].op < name.op)
            low = middle + 1;
        else
            high = middle;
    }
    return low < lane->acts.n && lane->acts.at[low].op == name.op;
}

static void add_chart_pairs(struct run_maker *maker)
{
    const struct account *account = maker->view->account;
    struct run_chart *execution = maker->execution;
    for (size_t i = 0; i < account->pairings; i++) {
        const struct pairing *pairing = &account->pairing[i];
        struct op_pair pair = {pairing->send, pairing->recv};
        if (!is_act_kept(execution, pair.send) && !is_act_kept(execution, pair.receive))
            continue;
        if (pairing->made)
            vec_push(&execution->matches, pair);
        else
            vec_push(&execution->possible, pair);
    }
}

struct run_chart run_chart_make(struct run_view *view, struct symbols *symbols)
{
    struct run_chart execution = {0};
    struct run_maker maker = {
        .view = view, .symbols = symbols, .final = run_view_final_state(view), .execution = &execution};
    maker.windows = (struct window_chart){.chart = &execution, .ranks = view->ranks};
    run_view_account(view);
    for (rank_t r = 0; r < view->ranks; r++)
        add_lane(&maker, r);
    add_chart_pairs(&maker);
    window_chart_order(&maker.windows, view);
    window_chart_release(&maker.windows);
    map_release(&maker.texts);
    map_release(&maker.places);
    map_release(&maker.turns);
    return execution;
}
