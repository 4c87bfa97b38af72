#include "drive/payloads.h"

#include <string.h>

enum {
    MOST_BYTES = 4 << 20, /* that stay in the arena */
    LONG = 1 << 14,       /* bytes of a payload from which on it is looked for whether it lies on disk already */
};

void payloads_release(struct payloads *payloads)
{
    hoard_release(&payloads->hoard);
    vec_release(&payloads->latest);
    vec_release(&payloads->long_ones);
    map_release(&payloads->by_sum);
}

static void note_in_arena(struct payloads *payloads, struct payload *payload)
{
    payloads->bytes += arena_block_size(payload->block.bytes);
    vec_push(&payloads->latest, payload);
}

static void leave_arena(struct payloads *payloads, struct payload *payload)
{
    arena_give(payloads->memory, payload->block.at, payload->block.bytes);
    payloads->bytes -= arena_block_size(payload->block.bytes);
    payload->block.at = 0;
}

struct payload *payloads_keep(struct payloads *payloads, const struct payload_block *block, size_t n)
{
    struct payload *list = hoard_take(&payloads->hoard, n * sizeof *list);
    for (size_t i = 0; i < n; i++) {
        list[i] = (struct payload){.block = block[i]};
        note_in_arena(payloads, &list[i]);
    }
    return list;
}

void payloads_drop(struct payloads *payloads, struct payload *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].block.at)
            leave_arena(payloads, &list[i]);
}

uint64_t payloads_offset(struct payloads *payloads, struct payload *payload)
{
    struct payload_block *block = &payload->block;
    if (block->at)
        return block->at;
    block->at = arena_take(payloads->memory, block->bytes);
    memcpy(arena_at(payloads->memory, block->at), payload->aside, block->bytes);
    note_in_arena(payloads, payload);
    return block->at;
}

/* The same bytes in the hoard, where they may be already. */
static const void *find_place_aside(struct payloads *payloads, const struct payload_block *block)
{
    const void *bytes = arena_at(payloads->memory, block->at);
    struct map_key key = map_key2(block->sum, block->bytes);
    uint32_t number;
    if (block->bytes < LONG)
        return hoard_copy(&payloads->hoard, bytes, block->bytes);
    if (map_get(&payloads->by_sum, key, &number) && memcmp(payloads->long_ones.at[number], bytes, block->bytes) == 0)
        return payloads->long_ones.at[number];
    map_put(&payloads->by_sum, key, (uint32_t)payloads->long_ones.n);
    vec_push(&payloads->long_ones, hoard_copy(&payloads->hoard, bytes, block->bytes));
    return vec_last(&payloads->long_ones);
}

/* One that was dropped, or was put aside and brought back, is in the list once more than in the arena. */
static void put_aside(struct payloads *payloads, struct payload *payload)
{
    const struct payload_block *block = &payload->block;
    if (!block->at)
        return;
    if (!payload->aside)
        payload->aside = find_place_aside(payloads, block);
    leave_arena(payloads, payload);
}

/* The front of the list is cut off when it is half of it. */
static void forget_front(struct payloads *payloads)
{
    size_t left = payloads->latest.n - payloads->oldest;
    if (payloads->oldest <= left)
        return;
    memmove(payloads->latest.at, payloads->latest.at + payloads->oldest, left * sizeof *payloads->latest.at);
    payloads->latest.n = left;
    payloads->oldest = 0;
}

void payloads_put_aside(struct payloads *payloads)
{
    if (payloads->bytes <= MOST_BYTES)
        return;
    while (payloads->bytes > MOST_BYTES / 2)
        put_aside(payloads, payloads->latest.at[payloads->oldest++]);
    forget_front(payloads);
}
