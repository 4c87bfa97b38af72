#include "drive/keeper_nodes.h"

#include <string.h>

#include "base/die.h"

void keeper_nodes_release(struct keeper_nodes *keepers)
{
    for (size_t i = 0; i < keepers->at.n; i++)
        keeper_free(keepers->at.at[i]);
    vec_release(&keepers->at);
}

bool keeper_nodes_have(const struct keeper_nodes *keepers, node_id node)
{
    return node < keepers->at.n && keepers->at.at[node];
}

void keeper_nodes_forget(struct keeper_nodes *keepers, node_id node)
{
    if (!keeper_nodes_have(keepers, node))
        return;
    keeper_free(keepers->at.at[node]);
    keepers->at.at[node] = NULL;
}

static void settle_keeper(struct keeper_nodes *keepers, node_id node, struct keeper *keeper)
{
    while (keepers->at.n <= node)
        vec_push(&keepers->at, NULL);
    keeper_nodes_forget(keepers, node);
    keepers->at.at[node] = keeper;
}

/* The next one, as it is after the message that leads to the node. */
static struct keeper *next_keeper(const struct keeper_nodes *keepers, struct checkpoints *checkpoints, struct memory *memory,
                                  const struct checkpoint *there, struct keeper_mail *mail)
{
    struct keeper *keeper = keeper_copy(keepers->at.at[there->parent]);
    const struct answer_item *item = there->ret->item;
    const struct op *message = item->message;
    if (there->ret->items != 1 || !message)
        BUG("a keeper was answered with %u messages", there->ret->items);
    keeper_take(keeper, item->source, message->tag,
                message->payload ? arena_at(memory, payload_offset(checkpoints, message->payload)) : NULL, message->bytes, mail);
    return keeper;
}

static void read_letter(struct reading *reading, struct memory *memory, context_t context, const struct keeper_letter *letter,
                        const char *text, node_id node)
{
    struct op op = {.size = sizeof op,
                    .kind = OP_SEND,
                    .flags = OPF_BUFFERED | OPF_BLOCKING | OPF_WENT_ON,
                    .peer = letter->to,
                    .tag = letter->tag,
                    .context = context,
                    .bytes = letter->bytes};
    if (letter->bytes) {
        op.payload = arena_take(memory, letter->bytes);
        memcpy(arena_at(memory, op.payload), text + letter->at, letter->bytes);
    }
    reading_add(reading, memory, &op, node);
}

struct segment keeper_nodes_run(struct keeper_nodes *keepers, struct checkpoints *checkpoints, struct memory *memory, int ranks,
                           node_id node, struct reading *reading)
{
    const struct checkpoint *there = checkpoint_of(checkpoints, node);
    struct keeper_mail mail = {0};
    struct keeper *keeper = there->parent ? next_keeper(keepers, checkpoints, memory, there, &mail)
                                          : keeper_new(keeper_kind_of(ranks, there->rank));
    struct keeper_wait wait = keeper_waits_for(keeper);
    struct op call = {.size = sizeof call,
                      .kind = OP_RECV,
                      .flags = OPF_BLOCKING,
                      .request = 1,
                      .peer = wait.from,
                      .tag = wait.tag,
                      .context = keeper_context(keeper),
                      .bytes = UINT64_C(1) << 62};
    reading_begin(reading);
    for (size_t i = 0; i < mail.letter.n; i++)
        read_letter(reading, memory, call.context, &mail.letter.at[i], mail.text.at, node);
    reading_add(reading, memory, &call, node);
    keeper_mail_release(&mail);
    settle_keeper(keepers, node, keeper);
    return reading_segment(reading, SEGMENT_CALL, 0);
}

struct map_key keeper_nodes_image(const struct keeper_nodes *keepers, node_id node)
{
    return keeper_digest(keepers->at.at[node]);
}
