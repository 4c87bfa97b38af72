#include "play/keepers.h"

#include <string.h>

#include "base/die.h"
#include "play/chronicle.h"
#include "play/shown_memories.h"
#include "play/tickets.h"
#include "window/keeper.h"

static struct keeper **keeper_at(struct play *play, rank_t keeper)
{
    size_t index = (size_t)(keeper - dynamic_registry(play->all_ranks));
    while (play->keeper.n <= index)
        vec_push(&play->keeper, NULL);
    return &play->keeper.at[index];
}

static void wait_for_message(struct play *play, rank_t keeper)
{
    struct keeper_wait wait = keeper_waits_for(*keeper_at(play, keeper));
    context_t context = keeper_context(*keeper_at(play, keeper));
    uint32_t index = pool_take(&play->items);
    struct item *item = item_at(play, index);
    item->rank = keeper;
    item->op = (struct op){.kind = OP_RECV, .peer = wait.from, .tag = wait.tag, .context = context};
    item->id = sem_recv(play->sem, keeper, wait.from, context, wait.tag, index);
}

void keepers_wake(struct play *play, rank_t keeper)
{
    if (!play_is_keeper(play, keeper) || *keeper_at(play, keeper))
        return;
    if (keeper >= play->all_ranks)
        sem_make_room(play->sem, window_players(play->all_ranks, keeper_slot(play->all_ranks, keeper) + 1));
    *keeper_at(play, keeper) = keeper_new(keeper_kind_of(play->all_ranks, keeper));
    wait_for_message(play, keeper);
}

static void send_letter(struct play *play, rank_t keeper, const struct keeper_letter *letter, const char *text)
{
    struct memory *memory = world_memory(play->world);
    context_t context = keeper_context(*keeper_at(play, keeper));
    uint32_t index = pool_take(&play->items);
    struct item *item = item_at(play, index);
    item->rank = keeper;
    item->op = (struct op){.kind = OP_SEND, .flags = OPF_BUFFERED, .peer = letter->to, .tag = letter->tag,
                           .context = context, .bytes = letter->bytes};
    item->told = chronicle_letter(play, keeper, &item->op);
    item->payload = letter->bytes ? arena_take(memory, letter->bytes) : 0;
    memcpy(arena_at(memory, item->payload), text + letter->at, letter->bytes);
    item->id = sem_send(play->sem, keeper, letter->to, context, letter->tag, SEND_BUFFERED, letter->bytes, index);
    item_give_up(play, index);
}

void keepers_receive(struct play *play, struct match match)
{
    struct memory *memory = world_memory(play->world);
    uint32_t sent = item_of(play, match.send), received = item_of(play, match.recv);
    struct item *send = item_at(play, sent);
    rank_t keeper = item_at(play, received)->rank;
    struct keeper_mail mail = {0};
    uint64_t changes = keeper_changes(*keeper_at(play, keeper));
    keeper_take(*keeper_at(play, keeper), send->rank, send->op.tag, send->payload ? arena_at(memory, send->payload) : NULL,
                send->op.bytes, &mail);
    if (keeper_changes(*keeper_at(play, keeper)) != changes)
        play->idle_rounds = 0;
    chronicle_taken(play, keeper, send);
    tickets_note_taken(play, keeper, &send->op);
    if (!shown_memories_take(play, keeper, &send->op, send->payload) && send->payload)
        arena_give(memory, send->payload, send->op.bytes);
    send->payload = 0;
    send->delivered = true;
    play_note_delivered(play, send);
    item_settle(play, sent);
    item_give_up(play, received);
    for (size_t i = 0; i < mail.letter.n; i++)
        send_letter(play, keeper, &mail.letter.at[i], mail.text.at);
    keeper_mail_release(&mail);
    wait_for_message(play, keeper);
}

void keepers_note_written(struct play *play, rank_t keeper, rank_t by, const struct window_piece *piece, size_t n)
{
    keepers_wake(play, keeper);
    keeper_note_written(*keeper_at(play, keeper), by, piece, n);
}

void keepers_release(struct play *play)
{
    for (size_t i = 0; i < play->keeper.n; i++)
        keeper_free(play->keeper.at[i]);
    vec_release(&play->keeper);
}
