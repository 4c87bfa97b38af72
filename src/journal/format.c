#include "journal/format.h"

#include <stddef.h>
#include <string.h>

#include "base/hash.h"
#include "call/calls.h"
#include "call/sound.h"

uint64_t journal_dialect(void)
{
    uint64_t sum = hash_bytes(OP_KINDS, &(uint64_t){sizeof(struct op)}, sizeof(uint64_t));
    for (int i = 0; i < CALL_COUNT; i++)
        sum = hash_bytes(sum, call_name(i), strlen(call_name(i)));
    return sum;
}

uint64_t journal_head_sum(const struct journal_head *head, const char *text)
{
    return hash_bytes(hash_bytes(1, head, offsetof(struct journal_head, sum)), text, head->world);
}

uint64_t journal_block_sum(const struct journal_block *block, uint64_t number)
{
    size_t start = offsetof(struct journal_block, sum) + sizeof block->sum;
    return hash_bytes(hash_bytes(number, &block->size, sizeof block->size), (const char *)block + start,
                      block->size - start);
}

bool journal_block_is_good(const struct journal_block *block, uint64_t bytes, uint64_t number)
{
    return bytes >= sizeof *block && block->size >= sizeof *block && block->size <= bytes && block->size % 8 == 0 &&
           block->packed <= block->size - sizeof *block && block->begins <= 1 &&
           block->sum == journal_block_sum(block, number);
}

/* ---- records ---- */

static const struct op *first_op(const struct journal_record *record)
{
    return (const struct op *)((const uint64_t *)(record + 1) + record->contents);
}

/* The lists end where the record does.  The sum of its block is right, so this is for what a stranger may have written. */
static bool adds_up(const struct journal_record *record)
{
    const char *end = (const char *)record + record->size;
    uint64_t contents = 0;
    if (record->contents > (record->size - sizeof *record) / sizeof(uint64_t))
        return false;
    const struct op *op = first_op(record);
    for (uint32_t i = 0; i < record->count; i++, op = op_next(op)) {
        if (!op_is_sound(op, (size_t)(end - (const char *)op), INT32_MAX))
            return false;
        contents += op_contents(op);
    }
    return (const char *)op == end && contents == record->contents;
}

static bool record_is_good(const struct journal_record *record, size_t bytes)
{
    return bytes >= sizeof *record && record->size >= sizeof *record && record->size <= bytes &&
           record->size % 8 == 0 && record->question < JOURNAL_QUESTIONS &&
           (record->question == ASKED_FOR_SEGMENT || !record->count) && adds_up(record);
}

static void add_to_payloads(struct journal_record *record, uint64_t more)
{
    struct op *op = (struct op *)first_op(record);
    for (uint32_t i = 0; i < record->count; i++, op = (struct op *)op_next(op))
        if (op->payload)
            op->payload += more;
}

/* The name of no payload is 0; that of a node's first, which is 1 behind this, never becomes it. */
static uint64_t payload_base(node_id node)
{
    return payload_name(node, 0) - 1;
}

void journal_record_relate(struct journal_record *record, node_id before)
{
    add_to_payloads(record, -payload_base(record->to));
    record->from = record->to - record->from;
    record->to -= before;
}

bool journal_records_restore(char *at, size_t bytes, uint32_t records, node_id *before)
{
    for (; records; records--) {
        struct journal_record *record = (struct journal_record *)at;
        if (!record_is_good(record, bytes))
            return false;
        *before = record->to += *before;
        record->from = record->to - record->from;
        add_to_payloads(record, payload_base(record->to));
        at += record->size;
        bytes -= record->size;
    }
    return bytes == 0;
}

struct segment journal_record_segment(const struct journal_record *record)
{
    return (struct segment){.ops = record->count ? first_op(record) : NULL,
                            .count = record->count,
                            .contents = (const uint64_t *)(record + 1),
                            .end = record->end,
                            .code = record->code,
                            .imaged = record->imaged,
                            .effort = record->effort,
                            .noes = record->noes,
                            .image = record->image};
}
