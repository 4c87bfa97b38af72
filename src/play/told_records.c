#include "play/told_records.h"

#include <string.h>

enum { TOLD_BLOCK = 1 << 18 }; /* bytes: far more than a record has */

static char *room_for_record(struct told_records *records, size_t bytes)
{
    if (!records->used || records->taken + bytes > TOLD_BLOCK) {
        if (records->used == records->block.n)
            vec_push(&records->block, xmalloc(TOLD_BLOCK));
        records->used++;
        records->taken = 0;
    }
    char *at = records->block.at[records->used - 1] + records->taken;
    records->taken += bytes;
    return at;
}

/* Nobody asks which of two equal ones it is. */
static bool is_remark(const struct op *op)
{
    return op->kind == OP_ACCESS || op->kind == OP_WINDOW;
}

/* By its line and where it goes: an access tells of the bytes at the end of its tail. */
static size_t place_in_memory(const struct op *op, const void *tail, size_t bytes)
{
    uint64_t end[2] = {0}, sum = op->place ^ (uint64_t)op->event << 40 ^ (uint64_t)(uint32_t)op->peer << 20;
    if (bytes >= sizeof end)
        memcpy(end, (const char *)tail + bytes - sizeof end, sizeof end);
    sum = (sum ^ end[0]) * 0x9e3779b97f4a7c15;
    sum = (sum ^ end[1] ^ sum >> 29) * 0xd6e8feb86659fd93;
    return sum >> 32 & (TOLD_REMEMBERED - 1);
}

static bool is_same_record(const struct op *kept, const struct op *op, const void *tail, size_t bytes)
{
    return kept->size == op->size && memcmp(kept, op, sizeof *op) == 0 && (!bytes || memcmp(kept + 1, tail, bytes) == 0);
}

static const struct op *keep_record(struct told_records *records, const struct op *op, const void *tail, size_t bytes)
{
    char *to = room_for_record(records, op->size);
    memcpy(to, op, sizeof *op);
    if (bytes)
        memcpy(to + sizeof *op, tail, bytes);
    return (const struct op *)to;
}

const struct op *told_records_keep(struct told_records *records, const struct op *op, const void *tail, size_t bytes)
{
    struct op whole = *op;
    whole.size = (uint32_t)(sizeof whole + bytes);
    if (!is_remark(op))
        return keep_record(records, &whole, tail, bytes);
    const struct op **kept = &records->remembered[place_in_memory(&whole, tail, bytes)];
    if (!*kept || !is_same_record(*kept, &whole, tail, bytes))
        *kept = keep_record(records, &whole, tail, bytes);
    return *kept;
}

void told_records_clear(struct told_records *records)
{
    records->used = records->taken = 0;
    memset(records->remembered, 0, sizeof records->remembered);
}

void told_records_release(struct told_records *records)
{
    for (size_t i = 0; i < records->block.n; i++)
        free(records->block.at[i]);
    vec_release(&records->block);
    told_records_clear(records);
}
