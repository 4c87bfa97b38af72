/*
 * record -- an execution record whose checksums are right, whatever else is in it.
 */
#ifndef TEST_FUZZ_RECORD_H
#define TEST_FUZZ_RECORD_H

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "trace/format.h"

/* What stands at `at` with its sum, the `length` bytes behind it included, made right in place. */
static inline void record_sum_up(uint8_t *at, size_t head, size_t sum_at, size_t length)
{
    uint32_t sum = format_sum(format_sum(0, at, sum_at), at + head, length);
    memcpy(at + sum_at, &sum, sizeof sum);
}

static inline void record_make_right(uint8_t *at, size_t size)
{
    struct format_head head;
    struct format_block block;
    if (size < sizeof head)
        return;
    memcpy(&head, at, sizeof head);
    if (head.length > size - sizeof head)
        return;
    record_sum_up(at, sizeof head, offsetof(struct format_head, sum), head.length);
    at += sizeof head + head.length;
    size -= sizeof head + head.length;
    for (uint32_t number = 0; size >= sizeof block; number++) {
        memcpy(at, &number, sizeof number);
        memcpy(&block, at, sizeof block);
        if (block.stored > size - sizeof block)
            return;
        record_sum_up(at, sizeof block, offsetof(struct format_block, sum), block.stored);
        at += sizeof block + block.stored;
        size -= sizeof block + block.stored;
    }
}

/* The name of a file with these bytes; from the second on and as they are, if the first is a 0. */
static inline const char *record_file(const uint8_t *bytes, size_t size)
{
    if (size == 0 || bytes[0] == 0)
        return fuzz_file(bytes + (size > 0), size - (size > 0));
    uint8_t *copy = malloc(size);
    if (!copy)
        abort();
    memcpy(copy, bytes, size);
    record_make_right(copy, size);
    const char *path = fuzz_file(copy, size);
    free(copy);
    return path;
}

#endif
