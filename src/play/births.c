#include "play/births.h"

#include "base/die.h"
#include "base/log.h"

void births_give_places(struct play *play, rank_t r, const struct op *op)
{
    rank_t first = world_take_places(play->world, op->places);
    struct answer answer = {.kind = ANSWER_ROOM, .payload = first == RANK_NONE ? 0 : (uint64_t)first};
    reply_with(play, r, answer, NULL, 0);
}

static void await_birth(struct play *play, rank_t r)
{
    uint32_t index = pool_take(&play->items);
    struct item *item = item_at(play, index);
    item->rank = r;
    item->op = (struct op){.kind = OP_RECV, .peer = RANK_ANY, .tag = DYNAMIC_BIRTH, .context = DYNAMIC_CONTEXT};
    item->id = sem_recv(play->sem, r, RANK_ANY, DYNAMIC_CONTEXT, DYNAMIC_BIRTH, index);
}

void births_prepare(struct play *play, const struct op *op)
{
    if (op_is_birth(op))
        await_birth(play, op->peer);
}

bool births_is_awaited(const struct play *play, rank_t r)
{
    return world_rank(play->world, r)->life == LIFE_UNBORN;
}

/* The rank reads its birth when it comes up, so the block is its own until it speaks. */
void births_begin(struct play *play, struct match match)
{
    uint32_t sent = item_of(play, match.send), received = item_of(play, match.recv);
    struct item *send = item_at(play, sent);
    rank_t r = item_at(play, received)->rank;
    struct birth_place birth = {send->payload, send->op.bytes};
    LOG(play, "rank %d is started by rank %d", r, send->rank);
    vec_push(&play->player[r].used, (struct arena_block){birth.at, birth.bytes});
    send->payload = 0;
    send->delivered = true;
    play_note_delivered(play, send);
    item_settle(play, sent);
    item_give_up(play, received);
    world_spawn(play->world, r, birth);
    play->ranks = world_ranks(play->world);
}
