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

uint64_t journal_record_sum(const struct journal_record *record, uint64_t number)
{
    size_t start = offsetof(struct journal_record, sum) + sizeof record->sum;
    return hash_bytes(hash_bytes(number, &record->size, sizeof record->size), (const char *)record + start,
                      record->size - start);
}

static const struct op *first_op(const struct journal_record *record)
{
    return (const struct op *)((const uint64_t *)(record + 1) + record->contents);
}

/* The lists end where the record does.  Its sum is right, so this is for what a stranger may have written. */
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

bool journal_record_is_good(const struct journal_record *record, uint64_t bytes, uint64_t number)
{
    return bytes >= sizeof *record && record->size >= sizeof *record && record->size <= bytes &&
           record->size % 8 == 0 && record->sum == journal_record_sum(record, number) && adds_up(record);
}

struct segment journal_record_segment(const struct journal_record *record)
{
    return (struct segment){.ops = record->count ? first_op(record) : NULL,
                            .count = record->count,
                            .contents = (const uint64_t *)(record + 1),
                            .end = record->end,
                            .code = record->code,
                            .imaged = record->imaged,
                            .image = record->image};
}
