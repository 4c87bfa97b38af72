/*
 * post -- operations on their way from a rank into the semantics.
 */
#include <string.h>

#include "base/die.h"
#include "play/births.h"
#include "play/chronicle.h"
#include "play/keepers.h"
#include "play/parts.h"
#include "play/passing.h"
#include "play/shown_memories.h"
#include "play/state.h"
#include "play/tickets.h"

static void trace_operation(struct play *play, rank_t r, const struct op *op)
{
    struct played_rank *p = &play->player[r];
    uint32_t known;
    if (!play->trace)
        return;
    trace_op(play->trace, p->ref, op);
    if (!map_get(&p->placed, map_key(op->place), &known)) {
        struct trace_place place = {.rank = r, .address = op->place};
        play->locate(play->locator, r, op->place, &place);
        trace_place(play->trace, &place);
        map_put(&p->placed, map_key(op->place), 1);
    }
}

static void unname(struct play *play, struct map *map, struct map_key key)
{
    uint32_t index;
    if (!map_get(map, key, &index))
        return;
    free(play->names.at[index].text);
    play->names.at[index].text = NULL;
    pool_give(&play->names, index);
    map_remove(map, key);
}

static void name(struct play *play, struct map *map, struct map_key key, const struct op *op)
{
    unname(play, map, key);
    uint32_t index = pool_take(&play->names);
    play->names.at[index].text = strndup(op_tail(op), op_tail_size(op));
    map_put(map, key, index);
}

static uint32_t new_item(struct play *play, rank_t r, const struct op *op)
{
    uint32_t index = pool_take(&play->items);
    struct item *item = item_at(play, index);
    item->rank = r;
    item->ref = play->player[r].ref;
    item->op = *op;
    item->told = chronicle_last(play, r);
    return index;
}

void post_set_slot(struct play *play, rank_t r, uint32_t number, uint32_t item)
{
    struct played_rank *p = &play->player[r];
    if (number == 0)
        return;
    while (p->slot.n <= number)
        vec_push(&p->slot, 0);
    if (p->slot.at[number])
        BUG("rank %d uses request %u twice", r, number);
    p->slot.at[number] = item;
}

/* The rank sleeps until the requests in its list are complete as the call wants. */
static void wait_for_list(struct play *play, rank_t r, const struct op *op)
{
    struct played_rank *p = &play->player[r];
    vec_clear(&play->ids);
    for (size_t i = 0; i < p->list.n; i++)
        vec_push(&play->ids, item_at(play, *slot_at(play, r, p->list.at[i]))->id);
    p->mode = PLAYER_WAITS;
    p->call = *op;
    sem_await(play->sem, r, op->flags & (OPF_ANY | OPF_SOME) ? AWAIT_ANY : AWAIT_ALL, play->ids.at,
              play->ids.n);
    world_fell_asleep(play->world, r);
}

static void wait_for_one(struct play *play, rank_t r, const struct op *op)
{
    struct played_rank *p = &play->player[r];
    vec_clear(&p->list);
    vec_push(&p->list, op->request);
    wait_for_list(play, r, op);
}

/* A blocking call sleeps unless it is complete at once; then nobody will ask for it again. */
static void wait_or_give_up(struct play *play, rank_t r, const struct op *op, uint32_t index)
{
    if (op->flags & OPF_BLOCKING && !(op->flags & OPF_WENT_ON))
        wait_for_one(play, r, op);
    if (op->request == 0)
        item_give_up(play, index);
}

uint64_t post_payload_in_arena(struct play *play, const struct op *op, const void *inline_payload)
{
    if (op->payload || op->bytes == 0)
        return op->payload;
    struct memory *memory = world_memory(play->world);
    uint64_t at = arena_take(memory, op->bytes);
    memcpy(arena_at(memory, at), inline_payload, op->bytes);
    return at;
}

/* As its sender counts them. */
uint32_t post_count_message(struct play *play, rank_t from, rank_t to)
{
    struct played_rank *p = &play->player[from];
    while (p->messages.n <= (size_t)to)
        vec_push(&p->messages, 0);
    return ++p->messages.at[to];
}

/* Two contexts have everybody as a member who is no keeper, and are told of by nobody. */
static void open_context_of_all(struct play *play, const struct op *op)
{
    bool of_all = op->context == KEEPER_CONTEXT || op->context == DYNAMIC_CONTEXT;
    if (of_all && !sem_has_context(play->sem, op->context))
        sem_context_of_first(play->sem, op->context, play->all_ranks);
}

static void post_played_send(struct play *play, rank_t r, const struct op *op)
{
    uint32_t index = new_item(play, r, op);
    struct item *item = item_at(play, index);
    item->payload = post_payload_in_arena(play, op, op_tail(op));
    item->nth = post_count_message(play, r, op->peer);
    play->player[r].in_flight += op->bytes + MESSAGE_SHARE;
    open_context_of_all(play, op);
    if (op->context == KEEPER_CONTEXT || op->context == DYNAMIC_CONTEXT)
        keepers_wake(play, op->peer);
    births_prepare(play, op);
    item_at(play, index)->id = sem_send_in_order(play->sem, r, op->peer, op->context, op->tag, send_mode(op->flags),
                                                 op->bytes, index, op_send_order(op, false, &play->player[r].asked));
    passing_note_filed(play, r, op);
    if (op->ticket && op->context == KEEPER_CONTEXT)
        tickets_stir(play, op->peer);
    post_set_slot(play, r, op->request, index);
    wait_or_give_up(play, r, op, index);
}

static void post_played_recv(struct play *play, rank_t r, const struct op *op)
{
    uint32_t index = new_item(play, r, op);
    open_context_of_all(play, op);
    item_at(play, index)->id = sem_recv(play->sem, r, op->peer, op->context, op->tag, index);
    passing_note_filed(play, r, op);
    post_set_slot(play, r, op->request, index);
    if (op->flags & OPF_BLOCKING)
        wait_for_one(play, r, op);
}

void post_send_late(struct play *play, rank_t r, struct op_ref ref, const struct op *op, uint64_t payload, uint32_t nth)
{
    uint32_t index = new_item(play, r, op);
    struct item *item = item_at(play, index);
    item->ref = ref;
    item->payload = payload;
    item->nth = nth;
    item->id = sem_send(play->sem, r, op->peer, op->context, op->tag, send_mode(op->flags), op->bytes, index);
    play->player[r].in_flight += op->bytes + MESSAGE_SHARE;
    passing_note_filed(play, r, op);
    post_set_slot(play, r, op->request, index);
    if (op->request == 0)
        item_give_up(play, index);
}

void post_recv_late(struct play *play, rank_t r, struct op_ref ref, const struct op *op)
{
    uint32_t index = new_item(play, r, op);
    struct item *item = item_at(play, index);
    item->ref = ref;
    item->id = sem_recv(play->sem, r, op->peer, op->context, op->tag, index);
    passing_note_filed(play, r, op);
    post_set_slot(play, r, op->request, index);
}

/* All that is left of it is that it is complete. */
void post_received_send(struct play *play, rank_t r, struct op_ref ref, const struct op *op)
{
    uint32_t index = new_item(play, r, op);
    struct item *item = item_at(play, index);
    item->ref = ref;
    item->delivered = true;
    item->id = sem_done(play->sem, r, index);
    post_set_slot(play, r, op->request, index);
}

static uint32_t find_delivery(struct play *play, const struct op *op)
{
    struct map_key key = map_key2(op->context, (uint32_t)op->turn);
    uint32_t index = map_find(&play->delivery_of, key, 0);
    if (index)
        return index;
    index = pool_take(&play->deliveries);
    struct collective_delivery *m = &play->deliveries.at[index];
    const rank_t *member;
    m->context = op->context;
    m->turn = op->turn;
    m->members = sem_members(play->sem, op->context, &member);
    m->part = xcalloc(m->members, sizeof *m->part);
    map_put(&play->delivery_of, key, index);
    return index;
}

/* On an intercommunicator not everybody names the root. */
static bool is_other_root(rank_t a, rank_t b)
{
    return a != b && a != RANK_NONE && b != RANK_NONE;
}

static void check_with_root(struct play *play, const struct collective_delivery *m, rank_t r, const struct op *op)
{
    uint32_t root = (uint32_t)sem_position(play->sem, op->context, op->peer);
    for (uint32_t i = 0; i < m->members && !play->over; i++)
        if (m->part[i] && (i == root || r == op->peer))
            parts_compare(play, m->part[i], r, op);
}

/* Everybody must make the same call; whoever came first is right until shown otherwise. */
static void check_same_call(struct play *play, const struct collective_delivery *m, rank_t r, const struct op *op)
{
    for (uint32_t i = 0; i < m->members; i++) {
        if (!m->part[i])
            continue;
        const struct item *first = item_at(play, m->part[i]);
        bool other_call = !agree_calls(first->op.call, op->call);
        if (other_call || is_other_root(first->op.peer, op->peer))
            parts_disagree(play, first, r, op, other_call ? COLL_ORDER : COLL_ROOT);
        else
            parts_compare(play, m->part[i], r, op);
        break;
    }
    if (!play->over && op->peer != RANK_NONE)
        check_with_root(play, m, r, op);
}

/* The item of this part; 0: it does not go with the others, so the run is over. */
static uint32_t join_collective(struct play *play, rank_t r, const struct op *op)
{
    const struct op_coll *coll = op_tail(op);
    size_t described = op_coll_size(coll);
    uint32_t delivery = find_delivery(play, op);
    struct collective_delivery *m = &play->deliveries.at[delivery];
    check_same_call(play, m, r, op);
    if (play->over)
        return 0;
    uint32_t index = new_item(play, r, op);
    struct item *item = item_at(play, index);
    item->coll = xmemdup(coll, described, 1);
    item->payload = post_payload_in_arena(play, op, (const char *)coll + described);
    item->delivery = delivery;
    m->part[sem_position(play->sem, op->context, r)] = index;
    m->joined++;
    item->id = sem_coll(play->sem, r, op->context, op->turn, coll->from, coll->until, op_coll_list(coll), coll->listed,
                        index);
    post_set_slot(play, r, op->request, index);
    return index;
}

static void post_played_coll(struct play *play, rank_t r, const struct op *op)
{
    uint32_t index = join_collective(play, r, op);
    if (index)
        wait_or_give_up(play, r, op, index);
}

void post_coll_late(struct play *play, rank_t r, struct op_ref ref, const struct op *op)
{
    uint32_t index = join_collective(play, r, op);
    if (!index)
        return;
    item_at(play, index)->ref = ref;
    item_give_up(play, index);
}

static void post_done(struct play *play, rank_t r, const struct op *op)
{
    uint32_t index = new_item(play, r, op);
    item_at(play, index)->id = sem_done(play->sem, r, index);
    post_set_slot(play, r, op->request, index);
}

/* The rank knew that all of these are complete, and did not wait. */
static void give_up_list(struct play *play, rank_t r)
{
    struct played_rank *p = &play->player[r];
    for (size_t i = 0; i < p->list.n; i++) {
        uint32_t *slot = slot_at(play, r, p->list.at[i]), index = *slot;
        *slot = 0;
        item_give_up(play, index);
    }
}

static void post_played_completion(struct play *play, rank_t r, const struct op *op)
{
    struct played_rank *p = &play->player[r];
    struct memory *memory = world_memory(play->world);
    const uint32_t *number = op->payload ? arena_at(memory, op->payload) : op_tail(op);
    vec_clear(&p->list);
    for (uint32_t i = 0; i < op->items; i++)
        vec_push(&p->list, number[i]);
    if (op->payload)
        arena_give(memory, op->payload, op->items * sizeof *number);
    if (op->flags & OPF_WENT_ON) {
        give_up_list(play, r);
    } else if (op->kind == OP_WAIT) {
        wait_for_list(play, r, op);
    } else {
        p->mode = PLAYER_POLLS;
        p->call = *op;
        world_fell_asleep(play->world, r);
    }
}

enum { NEVER_SENT = -2 }; /* no message has this tag */

/* It is no part of the record: what they wait for they have asked before, and will ask again. */
static void post_rest(struct play *play, rank_t r, const struct op *op)
{
    struct played_rank *p = &play->player[r];
    free(p->rest);
    p->rest = xmemdup(op, op->size, 1);
    world_note_threads(play->world, r, op->flags & OPF_OTHERS_GO);
    if (op->items) {
        post_played_completion(play, r, op);
        return;
    }
    vec_clear(&p->list);
    p->mode = PLAYER_WAITS;
    p->call = *op;
    sem_await_probe(play->sem, r, r, op->context, NEVER_SENT);
    world_fell_asleep(play->world, r);
}

static void post_probe(struct play *play, rank_t r, const struct op *op)
{
    struct played_rank *p = &play->player[r];
    p->mode = op->kind == OP_PROBE ? PLAYER_WAITS : PLAYER_POLLS;
    p->call = *op;
    vec_clear(&p->list);
    if (op->kind == OP_PROBE)
        sem_await_probe(play->sem, r, op->peer, op->context, op->tag);
    world_fell_asleep(play->world, r);
}

static void post_cancel(struct play *play, rank_t r, const struct op *op, bool too_late)
{
    uint32_t index = *slot_at(play, r, op->request);
    struct item *item = item_at(play, index);
    if (!index || too_late || item->op.kind == OP_COLL)
        return;
    bool before = item->cancelled;
    item->cancelled = sem_withdraw(play->sem, item->id);
    if (item->cancelled && !before)
        passing_note_gone(play, r, &item->op);
}

static void post_free(struct play *play, rank_t r, const struct op *op)
{
    struct played_rank *p = &play->player[r];
    uint32_t *slot = slot_at(play, r, op->request), index = *slot;
    struct item *item = item_at(play, index);
    if (item->op.kind == OP_SEND || item->op.kind == OP_DONE) {
        *slot = 0;
        item_give_up(play, index);
        return;
    }
    item->orphan = true;
    if (sem_view(play->sem, item->id).complete)
        vec_push(&p->orphans, op->request);
}

static void post_played_context(struct play *play, rank_t r, const struct op *op)
{
    const struct op_group *group = op_tail(op);
    if (sem_context(play->sem, op->context, group->first_group, group->members, group->member) < 0)
        BUG("rank %d sees other members of a communicator than the ranks before", r);
}

static void post_context_left(struct play *play, const struct op *op)
{
    sem_leave(play->sem, op->context);
    if (!sem_has_context(play->sem, op->context))
        unname(play, &play->context_name, map_key(op->context));
}

static void post_complaint(struct play *play, rank_t r, const struct op *op)
{
    vec_push(&play->complaints, (struct complaint_of){r, xmemdup(op, op->size, 1)});
}

static void end_with(struct play *play, enum run_end kind, rank_t r, const struct op *op)
{
    play->over = true;
    play->outcome = (struct outcome){.kind = kind, .rank = r, .op = *op, .code = op->code};
    if (kind == RUN_ERROR || kind == RUN_REFUSED)
        play->outcome.text = strndup(op_tail(op), op_tail_size(op));
    if (kind == RUN_CRASH)
        for (uint32_t i = 0; i < op->items; i++)
            vec_push(&play->outcome.stack, ((const uint64_t *)op_tail(op))[i]);
    world_fell_asleep(play->world, r);
}

/* That may be polling, too: then nothing changes there (keepers.c). */
static bool asks_window(const struct op *op)
{
    bool of_names = op_is_dynamic(op) && (op->tag == DYNAMIC_NAME || op->tag == DYNAMIC_NAME_ANSWER);
    return op->kind == OP_WAIT || of_names || (op_posts(op) && op->context == KEEPER_CONTEXT);
}

/* Or it is reading something else each time. */
static bool accesses_as_before(struct play *play, rank_t r, const struct op *op)
{
    if (op->kind != OP_SEND || op->context != KEEPER_CONTEXT || op->peer < play->all_ranks || keeper_is_lock(play->all_ranks, op->peer) ||
        window_tag_is_of_file(op->tag))
        return true;
    const struct window_message *message = op->payload ? arena_at(world_memory(play->world), op->payload) : op_tail(op);
    if (op->bytes < sizeof *message || message->kind != WINDOW_ACCESS)
        return true;
    return rhythm_goes_on(&play->player[r].accesses,
                          shown_memories_question(op->peer, window_question(message + 1, op->bytes - sizeof *message)));
}

/* In place of the message that it did not send. */
static void post_done_accesses(struct play *play, rank_t r, const struct op *op)
{
    struct played_rank *p = &play->player[r];
    p->ref = (struct op_ref){r, p->ops++};
    trace_operation(play, r, op);
    shown_memories_follow(play, r, op);
}

void post_operation(struct play *play, rank_t r, const struct op *op)
{
    struct played_rank *p = &play->player[r];
    reply_was_read(play, r);
    if (op->kind == OP_ROOM) {
        world_fell_asleep(play->world, r);
        reply_room(play, r, op->room);
        return;
    }
    if (op->kind == OP_PLACES) {
        world_fell_asleep(play->world, r);
        births_give_places(play, r, op);
        return;
    }
    if (op->kind == OP_WAIT && op->flags & OPF_EITHER) {
        post_rest(play, r, op);
        return;
    }
    play->changes += !op_is_poll(op);
    chronicle_post(play, r, op);
    if (op_tells_done(op)) {
        post_done_accesses(play, r, op);
        return;
    }
    if (op->kind == OP_ACCESS || op->kind == OP_WINDOW)
        return; /* they are no part of the record, and may be made again and again by one who polls */
    if (!accesses_as_before(play, r, op) || (!op_is_poll(op) && !asks_window(op)))
        play->idle_rounds = 0;
    p->ref = (struct op_ref){r, p->ops++};
    if (op->kind == OP_INIT && !p->init)
        p->init = xmemdup(op, op->size, 1);
    bool too_late = op->kind == OP_CANCEL && world_is_too_late(play->world, r);
    trace_operation(play, r, op);
    switch ((enum op_kind)op->kind) {
    case OP_CONTEXT:
        post_played_context(play, r, op);
        break;
    case OP_CONTEXT_NAME:
        name(play, &play->context_name, map_key(op->context), op);
        break;
    case OP_CONTEXT_LEFT:
        post_context_left(play, op);
        break;
    case OP_TYPE:
        name(play, &play->type_name, map_key2(r, op->type), op);
        break;
    case OP_SEND:
        post_played_send(play, r, op);
        break;
    case OP_RECV:
        post_played_recv(play, r, op);
        break;
    case OP_COLL:
        post_played_coll(play, r, op);
        break;
    case OP_WAIT:
    case OP_TEST:
        post_played_completion(play, r, op);
        break;
    case OP_PROBE:
    case OP_IPROBE:
        post_probe(play, r, op);
        break;
    OP_CASES(OP_CHOICES)
        p->call = *op;
        world_fell_asleep(play->world, r);
        reply_first_alternative(play, r);
        break;
    case OP_CANCEL:
        post_cancel(play, r, op, too_late);
        break;
    case OP_FREE:
        post_free(play, r, op);
        break;
    case OP_ABORT:
        end_with(play, RUN_ABORT, r, op);
        break;
    case OP_ERROR:
        end_with(play, RUN_ERROR, r, op);
        break;
    case OP_REFUSED:
        end_with(play, RUN_REFUSED, r, op);
        break;
    case OP_CRASH:
        end_with(play, RUN_CRASH, r, op);
        break;
    case OP_COMPLAINT:
        post_complaint(play, r, op);
        break;
    case OP_PCONTROL:
    case OP_ATTACHED:
    case OP_UNSTARTED:
    OP_CASES(OP_WINDOW_REMARKS)
    OP_CASES(OP_FILE_REMARKS)
    OP_CASES(OP_LIFE)
        break;
    case OP_DONE:
        post_done(play, r, op);
        break;
    case OP_TAKEN:
        sem_receive(play->sem, item_at(play, *slot_at(play, r, op->request))->id);
        break;
    OP_CASES(OP_SERVICES)
        BUG("rank %d posted an operation of kind %u", r, op->kind);
    }
}

void post_match(struct play *play, struct match match)
{
    struct item *send = item_at(play, item_of(play, match.send));
    struct item *recv = item_at(play, item_of(play, match.recv));
    chronicle_match(play, send, recv);
    passing_note_gone(play, send->rank, &send->op);
    passing_note_gone(play, recv->rank, &recv->op);
    if (play_is_keeper(play, recv->rank)) {
        keepers_receive(play, match);
        return;
    }
    if (births_is_awaited(play, recv->rank)) {
        births_begin(play, match);
        return;
    }
    if (play->trace && !play_is_keeper(play, send->rank))
        trace_match(play->trace, send->ref, recv->ref);
    if (recv->orphan)
        vec_push(&play->player[recv->rank].orphans, recv->op.request);
}

void post_settle(struct play *play)
{
    struct match match;
    while (sem_next_forced(play->sem, &match))
        post_match(play, match);
}
