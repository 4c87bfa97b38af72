/*
 * format -- the bytes of an execution record; doc/trace.md tells them in words.
 *
 * A head, then blocks of records.  Fixed-width numbers are in the writer's byte
 * order (the mark tells), numbers inside of records are varints.  Writer and
 * reader keep the same memory of what a rank did last, and a record says only
 * what is different.
 */
#ifndef TRACE_FORMAT_H
#define TRACE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "call/op.h"

#define FORMAT_MAGIC "tourney\n"

enum {
    FORMAT_VERSION = 1,
    FORMAT_MARK = 0x01020304,
    FORMAT_BLOCK = 1 << 16,      /* bytes of records in a block; a longer record has a block for itself */
    FORMAT_BLOCK_MAX = 1 << 28,
    FORMAT_HEAD_MAX = 1 << 26,
    FORMAT_MOST_RANKS = 1 << 20, /* whoever reads may have a list of them */
    FORMAT_VARINT_MAX = 10,
};

/* Stands first in the file, and does so in every version. */
struct format_head {
    char magic[8];
    uint32_t mark;
    uint32_t version;
    uint32_t length; /* of the rest of the head */
    uint32_t sum;    /* over what stands before it, and the rest of the head */
};

/* A block without any bytes closes the file. */
struct format_block {
    uint32_t number; /* from 0 */
    uint32_t stored; /* bytes that follow */
    uint32_t raw;    /* bytes of records in them; as many: not compressed */
    uint32_t sum;    /* over what stands before it, and the bytes that follow */
};

enum format_record { RECORD_CALL = 1, RECORD_OP, RECORD_MATCH, RECORD_RETURN, RECORD_PLACE, RECORD_END };

/*
 * The numbers of struct op that a record holds, in this order: a bit each says
 * whether it differs from the rank's last operation.  One more bit follows.
 */
#define FORMAT_OP_FIELDS(X) \
    X(kind) X(call) X(flags) X(request) X(peer) X(tag) X(context) X(place) X(bytes) X(count) X(type) X(items)
#define FORMAT_LATER_OP_FIELDS(X) X(thread) /* and these, behind that bit: who wrote before them has never set theirs */

enum {
#define X(field) FORMAT_BIT_##field,
    FORMAT_OP_FIELDS(X)
#undef X
    FORMAT_BIT_index, /* not the one after the rank's last */
#define X(field) FORMAT_BIT_##field,
    FORMAT_LATER_OP_FIELDS(X)
#undef X
};

/*
 * A fixed number of places, which ranks share if they are more: what is
 * remembered makes a file shorter, never wrong.  All zero at the start.
 */
enum { FORMAT_MEMORY = 4096 };
struct format_memory {
    struct format_last {
        rank_t rank;
        uint64_t next; /* index after its last operation */
        struct op op;
    } last[FORMAT_MEMORY];
};

static inline struct format_last *format_last(struct format_memory *memory, rank_t rank)
{
    struct format_last *last = &memory->last[(uint32_t)rank % FORMAT_MEMORY];
    if (last->rank != rank) {
        last->rank = rank;
        last->next = 0;
    }
    return last;
}

/* CRC-32C of `n` bytes; `sum` continues an earlier one, 0 starts. */
uint32_t format_sum(uint32_t sum, const void *bytes, size_t n);

static inline uint64_t format_fold(uint64_t difference)
{
    return difference << 1 ^ -(difference >> 63);
}

static inline uint64_t format_unfold(uint64_t folded)
{
    return folded >> 1 ^ -(folded & 1);
}

static inline uint8_t *format_put(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)value | 0x80;
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

/* A view of bytes that nobody vouches for: once bad, it yields zeros. */
struct format_view {
    const uint8_t *at, *end;
    bool bad;
};

static inline size_t format_left(const struct format_view *view)
{
    return (size_t)(view->end - view->at);
}

uint64_t format_get(struct format_view *);
/* Borrowed from the view, with a zero behind it; NULL as the writer gave it, or if bad. */
const char *format_get_text(struct format_view *);

#endif
