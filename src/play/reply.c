/*
 * reply -- answers on their way from the semantics back to a rank.
 */
#include <string.h>

#include "base/die.h"
#include "play/chronicle.h"
#include "play/passing.h"
#include "play/state.h"

/*
 * An answer being put together: completions, each with its pieces behind it.  The
 * bytes are in the play, which keeps the room for the next one.
 */
struct reply {
    struct play *play;
    bool unread; /* by a rank that knew it and went on (call/mail.h), so nothing is put together */
    uint32_t completions;
    struct completion last;
};

static struct reply reply_begin(struct play *play, rank_t r)
{
    vec_clear(&play->answer);
    vec_clear(&play->answered);
    return (struct reply){.play = play, .unread = world_went_on(play->world, r)};
}

static void put_in_answer(struct reply *reply, const void *data, size_t size)
{
    struct play *play = reply->play;
    vec_reserve(&play->answer, size);
    memcpy(play->answer.at + play->answer.n, data, size);
    play->answer.n += size;
}

static void put_completion(struct reply *reply, struct completion c)
{
    if (!reply->unread)
        put_in_answer(reply, &c, sizeof c);
    if (reply->play->trace)
        vec_push(&reply->play->answered, c.request);
    reply->completions++;
    reply->last = c;
}

static void use_block(struct play *play, rank_t r, uint64_t at, uint64_t bytes)
{
    if (at)
        vec_push(&play->player[r].used, (struct arena_block){at, bytes});
}

void item_settle(struct play *play, uint32_t index)
{
    struct item *item = item_at(play, index);
    if (item->op.kind == OP_SEND && !(item->given_up && item->delivered))
        return;
    free(item->coll);
    item->coll = NULL;
    item->told = 0;
    pool_give(&play->items, index);
}

static void leave_delivery(struct play *play, uint32_t index)
{
    struct collective_delivery *m = &play->deliveries.at[index];
    if (++m->left < m->members)
        return;
    for (uint32_t i = 0; i < m->members; i++) {
        struct item *part = item_at(play, m->part[i]);
        if (part->payload)
            arena_give(world_memory(play->world), part->payload, part->op.bytes);
        item_settle(play, m->part[i]);
    }
    map_remove(&play->delivery_of, map_key2(m->context, m->turn));
    free(m->part);
    m->part = NULL;
    pool_give(&play->deliveries, index);
}

void item_give_up(struct play *play, uint32_t index)
{
    struct item *item = item_at(play, index);
    sem_retire(play->sem, item->id);
    item->given_up = true;
    if (item->op.kind == OP_COLL)
        leave_delivery(play, item->delivery);
    else
        item_settle(play, index);
}

void reply_was_read(struct play *play, rank_t r)
{
    struct played_rank *p = &play->player[r];
    while (p->used.n) {
        struct arena_block block = vec_pop(&p->used);
        arena_give(world_memory(play->world), block.at, block.bytes);
    }
    while (p->attended.n)
        leave_delivery(play, vec_pop(&p->attended));
}

static void trace_answer(const struct play *play, rank_t r, bool flag, const struct reply *reply)
{
    struct trace_return ret = {.op = play->player[r].ref, .flag = flag, .requests = play->answered.n,
                               .request = play->answered.at, .source = RANK_NONE};
    if (!play->trace)
        return;
    if (reply->completions == 1) {
        ret.source = reply->last.source;
        ret.tag = reply->last.tag;
        ret.bytes = reply->last.bytes;
    }
    trace_return(play->trace, &ret);
}

/* The rank's call is over: it waits for nothing any more. */
static void leave_call(struct play *play, rank_t r)
{
    struct played_rank *p = &play->player[r];
    if (p->mode == PLAYER_WAITS)
        sem_go(play->sem, r);
    p->mode = PLAYER_GOES;
    p->ready = false;
}

void reply_with(struct play *play, rank_t r, struct answer answer, const void *completions, size_t bytes)
{
    answer.last_source = play->player[r].last_source;
    world_answer(play->world, r, answer, completions, bytes);
}

static void send_reply(rank_t r, struct answer answer, const struct reply *reply)
{
    struct play *play = reply->play;
    chronicle_answer(play, r);
    size_t bytes = play->answer.n;
    answer.completions = reply->completions;
    if (sizeof answer + bytes > WIRE_ANSWER) {
        answer.payload = arena_take(world_memory(play->world), bytes);
        use_block(play, r, answer.payload, bytes);
    }
    trace_answer(play, r, answer.flag, reply);
    reply_with(play, r, answer, play->answer.at, bytes);
}

static struct completion envelope_of(const struct item *send, uint32_t request)
{
    return (struct completion){.request = request,
                               .source = send->rank,
                               .tag = send->op.tag,
                               .bytes = send->op.bytes,
                               .payload = send->payload,
                               .nth = send->nth};
}

/* The receiver gets the sender's block, and with it the duty to give it back. */
static void deliver_recv(struct play *play, struct reply *reply, struct item *recv)
{
    uint32_t index = item_of(play, sem_view(play->sem, recv->id).partner);
    struct item *send = item_at(play, index);
    put_completion(reply, envelope_of(send, recv->op.request));
    chronicle_complete(play, recv->rank, recv->op.request, 0);
    use_block(play, recv->rank, send->payload, send->op.bytes);
    send->payload = 0;
    send->delivered = true;
    play_note_delivered(play, send);
    item_settle(play, index);
}

/* The nth slice of a part that is meant for this position. */
static struct piece find_piece(const struct item *part, uint32_t from, uint32_t position, uint32_t nth)
{
    const struct op_slice *slice = op_coll_slices(part->coll);
    struct piece piece = {.from = from, .payload = part->payload};
    if (part->op.flags & OPF_ORDERED && nth == 0 && part->coll->slices > position) {
        for (uint32_t i = 0; i < position; i++)
            piece.payload += slice[i].bytes;
        piece.bytes = slice[position].bytes;
        return piece;
    }
    for (uint32_t i = 0; i < part->coll->slices; i++) {
        bool ours = slice[i].to == SLICE_FOR_ALL || slice[i].to == (int32_t)position;
        if (ours && nth-- == 0) {
            piece.bytes = slice[i].bytes;
            return piece;
        }
        piece.payload += slice[i].bytes;
    }
    return piece;
}

static uint32_t times_asked_before(const uint32_t *list, uint32_t i)
{
    uint32_t times = 0;
    for (uint32_t k = 0; k < i; k++)
        times += list[k] == list[i];
    return times;
}

static void hear_parts(struct play *play, const struct item *item, const struct collective_delivery *m)
{
    const struct op_coll *coll = item->coll;
    if (!play->chronicle)
        return;
    chronicle_complete(play, item->rank, item->op.request, 0);
    for (uint32_t i = coll->from; i < coll->until; i++)
        chronicle_hear(play, item->rank, item_at(play, m->part[i]));
    for (uint32_t i = 0; i < coll->listed; i++)
        chronicle_hear(play, item->rank, item_at(play, m->part[op_coll_list(coll)[i]]));
    if (coll->until - coll->from == (uint32_t)play->ranks && m->members == (uint32_t)play->ranks)
        chronicle_heard_all(play, item->rank, item->op.context, m->turn);
}

static void put_pieces(struct reply *reply, const struct item *item, const struct collective_delivery *m)
{
    const struct play *play = reply->play;
    const struct op_coll *coll = item->coll;
    const uint32_t *listed = op_coll_list(coll);
    uint32_t position = sem_position(play->sem, item->op.context, item->rank);
    for (uint32_t i = coll->from; i < coll->until; i++) {
        struct piece piece = find_piece(item_at(play, m->part[i]), i, position, 0);
        put_in_answer(reply, &piece, sizeof piece);
    }
    for (uint32_t i = 0; i < coll->listed; i++) {
        struct piece piece =
            find_piece(item_at(play, m->part[listed[i]]), listed[i], position, times_asked_before(listed, i));
        put_in_answer(reply, &piece, sizeof piece);
    }
}

static void deliver_coll(struct play *play, struct reply *reply, struct item *item)
{
    const struct collective_delivery *m = &play->deliveries.at[item->delivery];
    const struct op_coll *coll = item->coll;
    struct completion c = {.request = item->op.request, .source = RANK_NONE,
                           .pieces = coll->until - coll->from + coll->listed};
    put_completion(reply, c);
    hear_parts(play, item, m);
    if (!reply->unread)
        put_pieces(reply, item, m);
    vec_push(&play->player[item->rank].attended, item->delivery);
}

/* Puts one complete request into the answer; it is over. */
static void deliver_item(struct play *play, rank_t r, struct reply *reply, uint32_t number)
{
    uint32_t *slot = slot_at(play, r, number), index = *slot;
    struct item *item = item_at(play, index);
    op_id id = item->id;
    *slot = 0;
    if (item->op.kind == OP_COLL) {
        deliver_coll(play, reply, item);
        sem_retire(play->sem, id);
        return; /* the item goes with its delivery */
    }
    if (item->cancelled) {
        put_completion(reply, (struct completion){.request = number, .source = RANK_NONE,
                                                  .flags = COMPLETION_CANCELLED});
        chronicle_complete(play, r, number, ANSWERED_CANCELLED);
        if (item->op.kind == OP_SEND) {
            use_block(play, r, item->payload, item->op.bytes);
            play->player[r].in_flight -= item->op.bytes + MESSAGE_SHARE;
            item->delivered = true;
        }
    } else if (item->op.kind == OP_SEND || item->op.kind == OP_DONE) {
        put_completion(reply, (struct completion){.request = number, .source = RANK_NONE});
        chronicle_complete(play, r, number, 0);
    } else {
        deliver_recv(play, reply, item);
        item = item_at(play, index);
    }
    item->given_up = true;
    sem_retire(play->sem, id);
    item_settle(play, index);
}

static bool is_request_complete(const struct play *play, rank_t r, uint32_t number)
{
    return sem_view(play->sem, item_at(play, *slot_at(play, r, number))->id).complete;
}

bool reply_would_complete(const struct play *play, rank_t r)
{
    const struct played_rank *p = &play->player[r];
    bool any = p->call.flags & (OPF_ANY | OPF_SOME);
    for (size_t i = 0; i < p->list.n; i++)
        if (is_request_complete(play, r, p->list.at[i]) == any)
            return any;
    return !any;
}

void reply_completed(struct play *play, rank_t r)
{
    struct played_rank *p = &play->player[r];
    struct reply reply = reply_begin(play, r);
    bool all = !(p->call.flags & (OPF_ANY | OPF_SOME)), one = p->call.flags & OPF_ANY;
    leave_call(play, r);
    for (size_t i = 0; i < p->list.n && !(one && reply.completions); i++)
        if (all || is_request_complete(play, r, p->list.at[i]))
            deliver_item(play, r, &reply, p->list.at[i]);
    while (p->orphans.n)
        deliver_item(play, r, &reply, vec_pop(&p->orphans));
    send_reply(r, (struct answer){.kind = ANSWER_GO, .flag = 1}, &reply);
}

static void take_message(struct play *play, rank_t r, op_id send)
{
    struct played_rank *p = &play->player[r];
    uint32_t index = pool_take(&play->items);
    *item_at(play, index) = (struct item){.rank = r, .ref = p->ref, .op = p->call};
    item_at(play, index)->op.kind = OP_RECV;
    item_at(play, index)->told = chronicle_last(play, r);
    item_at(play, index)->id = sem_take(play->sem, send, index);
    passing_note_filed(play, r, &item_at(play, index)->op);
    post_set_slot(play, r, p->call.request, index);
    post_match(play, (struct match){send, item_at(play, index)->id});
    post_settle(play);
}

void reply_probed(struct play *play, rank_t r, op_id send_id)
{
    struct reply reply = reply_begin(play, r);
    struct completion seen = envelope_of(item_at(play, item_of(play, send_id)), play->player[r].call.request);
    seen.payload = 0;
    put_completion(&reply, seen);
    chronicle_see(play, r, seen.request, item_at(play, item_of(play, send_id)));
    leave_call(play, r);
    if (play->player[r].call.flags & OPF_TAKE)
        take_message(play, r, send_id);
    send_reply(r, (struct answer){.kind = ANSWER_GO, .flag = 1}, &reply);
}

void reply_first_alternative(struct play *play, rank_t r)
{
    struct reply reply = reply_begin(play, r);
    put_completion(&reply, (struct completion){.source = 0});
    send_reply(r, (struct answer){.kind = ANSWER_GO, .flag = 1}, &reply);
}

void reply_no(struct play *play, rank_t r, uint32_t grant)
{
    struct played_rank *p = &play->player[r];
    struct reply reply = reply_begin(play, r);
    if (p->asked_at == 0)
        p->asked_at = play->changes + 1;
    leave_call(play, r);
    send_reply(r, (struct answer){.kind = ANSWER_GO, .grant = grant}, &reply);
}

void reply_news(struct play *play, rank_t r)
{
    leave_call(play, r);
    play->player[r].asked_at = 0;
    world_note_threads(play->world, r, false);
    reply_with(play, r, (struct answer){.kind = ANSWER_GO}, NULL, 0);
}

void reply_room(struct play *play, rank_t r, uint64_t bytes)
{
    uint64_t at = arena_take(world_memory(play->world), bytes);
    reply_with(play, r, (struct answer){.kind = ANSWER_ROOM, .payload = at}, NULL, 0);
}
