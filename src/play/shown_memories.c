#include "play/shown_memories.h"

#include "base/hash.h"
#include "call/shown_memory.h"
#include "call/window.h"
#include "play/chronicle.h"
#include "play/keepers.h"

static bool is_memory(const struct play *play, rank_t keeper)
{
    return keeper >= play->all_ranks && !keeper_is_lock(play->all_ranks, keeper);
}

static _Atomic uint64_t *memory_word(const struct play *play, rank_t keeper)
{
    struct wire_channel *channel = memory_channel(world_memory(play->world), keeper_owner(play->all_ranks, keeper));
    return &channel->window_memories[window_share(keeper_slot(play->all_ranks, keeper))];
}

static struct shown_memory *shown_memory_at(struct play *play, rank_t keeper)
{
    size_t index = (size_t)(keeper - play->all_ranks) / 2;
    while (play->memory.n <= index)
        vec_push(&play->memory, ((struct shown_memory){0}));
    return &play->memory.at[index];
}

static uint32_t known_turns(const struct play *play, rank_t keeper)
{
    size_t index = (size_t)(keeper - play->all_ranks) / 2;
    return index < play->memory.n ? play->memory.at[index].turns : 0;
}

static rank_t keeper_of_done(const struct play *play, const struct op *op)
{
    return window_memory_keeper(play->all_ranks, (uint32_t)op->slot, op->peer);
}

bool shown_memories_are_read_up_to(const struct play *play, const struct op *op)
{
    return !op_tells_done(op) || !op->ticket || (uint32_t)op->ticket == known_turns(play, keeper_of_done(play, op)) + 1;
}

uint64_t shown_memories_question(rank_t keeper, uint64_t sum)
{
    return hash_bytes((uint64_t)keeper, &sum, sizeof sum);
}

void shown_memories_follow(struct play *play, rank_t r, const struct op *op)
{
    const struct window_done *done = op_tail(op);
    rank_t keeper = keeper_of_done(play, op);
    if (!rhythm_goes_on(&play->player[r].accesses, shown_memories_question(keeper, done->sum)) || done->changed)
        play->idle_rounds = 0;
    play->player[r].asked++; /* as a message would */
    shown_memory_at(play, keeper)->turns += op->ticket != 0;
    if (done->pieces)
        keepers_note_written(play, keeper, r, window_done_pieces(done), done->pieces);
    if (done->pieces || op->ticket)
        chronicle_done(play, r, keeper);
}

bool shown_memories_admit(const struct play *play, rank_t keeper, const struct op *op)
{
    if (!is_memory(play, keeper) || !op->ticket)
        return true;
    uint64_t word = atomic_load(memory_word(play, keeper));
    return !(word & SHOWN_MEMORY_BUSY) && shown_memory_turns(word) == known_turns(play, keeper);
}

/* Opens or closes the memory; whether the message is the memory. */
static bool opens_memory(struct play *play, rank_t keeper, const struct op *op, uint64_t payload)
{
    struct memory *memory = world_memory(play->world);
    const struct window_message *message = arena_at(memory, payload);
    struct shown_memory *shown = shown_memory_at(play, keeper);
    if (window_tag_is_pointer(op->tag) || op->bytes < sizeof *message)
        return false;
    if (message->kind == WINDOW_CLOSE && shown->block.bytes) {
        arena_give(memory, shown->block.at, shown->block.bytes);
        shown->block = (struct arena_block){0};
    }
    if (message->kind != WINDOW_OPEN || !(message->flags & WINDOW_SHOWN))
        return false;
    shown->block = (struct arena_block){payload, op->bytes};
    return true;
}

bool shown_memories_take(struct play *play, rank_t keeper, const struct op *op, uint64_t payload)
{
    if (!is_memory(play, keeper))
        return false;
    if (op->ticket)
        atomic_fetch_sub(memory_word(play, keeper), SHOWN_MEMORY_MESSAGE);
    return payload && opens_memory(play, keeper, op, payload);
}

void shown_memories_release(struct play *play)
{
    vec_release(&play->memory);
}
