#include "scenario/window_keepers.h"

#include <string.h>

#include "base/die.h"

void window_keepers_release(struct window_keepers *keepers)
{
    for (size_t i = 0; i < keepers->at.n; i++)
        keeper_free(keepers->at.at[i]);
    vec_release(&keepers->at);
    vec_release(&keepers->text);
    vec_release(&keepers->bytes);
}

uint64_t window_keepers_keep(struct window_keepers *keepers, const void *text, size_t bytes)
{
    vec_push(&keepers->text, (struct kept_text){keepers->bytes.n, bytes});
    vec_reserve(&keepers->bytes, op_round(bytes) + 1);
    if (bytes)
        memcpy(keepers->bytes.at + keepers->bytes.n, text, bytes);
    keepers->bytes.n += op_round(bytes); /* the next one begins where numbers may lie */
    return keepers->text.n;
}

/* What the owner says when it makes the window. */
static void open_window(struct keeper *keeper, rank_t owner, uint32_t bytes, struct keeper_mail *mail)
{
    struct window_message open = {.kind = WINDOW_OPEN, .bytes = bytes};
    char *text = xcalloc(1, sizeof open + bytes);
    memcpy(text, &open, sizeof open);
    keeper_take(keeper, owner, WINDOW_CALM, text, sizeof open + bytes, mail);
    free(text);
}

static struct keeper *first_keeper(int ranks, rank_t rank, uint32_t bytes, struct keeper_mail *mail)
{
    bool of_lock = keeper_is_lock(ranks, rank);
    struct keeper *keeper = keeper_new(of_lock ? KEEPER_OF_LOCK : KEEPER_OF_MEMORY);
    if (!of_lock)
        open_window(keeper, keeper_owner(ranks, rank), bytes, mail);
    return keeper;
}

static struct keeper *later_keeper(const struct window_keepers *keepers, node_id from, const struct ret *ret,
                                  struct keeper_mail *mail)
{
    struct keeper *keeper = keeper_copy(keepers->at.at[from]);
    const struct answer_item *item = ret->item;
    if (ret->items != 1 || !item->message || item->message->payload == 0 || item->message->payload > keepers->text.n)
        BUG("a keeper was answered with %u messages", ret->items);
    const struct kept_text *text = &keepers->text.at[item->message->payload - 1];
    keeper_take(keeper, item->source, item->message->tag, keepers->bytes.at + text->at, text->bytes, mail);
    return keeper;
}

const struct keeper *window_keepers_go(struct window_keepers *keepers, int ranks, rank_t rank, uint32_t bytes, node_id from,
                                       const struct ret *ret, node_id to, struct keeper_mail *mail)
{
    struct keeper *keeper = from ? later_keeper(keepers, from, ret, mail) : first_keeper(ranks, rank, bytes, mail);
    while (keepers->at.n <= to)
        vec_push(&keepers->at, NULL);
    keeper_free(keepers->at.at[to]);
    keepers->at.at[to] = keeper;
    return keeper;
}
