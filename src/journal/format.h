/*
 * format -- the bytes of a journal; doc/journal.md tells them in words.
 *
 * A head, then records, each aligned to 8 bytes and in the writer's byte order.
 * Operations are as in memory (call/op.h), so `dialect` says what they were made by.
 */
#ifndef JOURNAL_FORMAT_H
#define JOURNAL_FORMAT_H

#include <stdbool.h>

#include "explore/runner.h"

#define JOURNAL_MAGIC "tourney journal\n"

enum { JOURNAL_VERSION = 1, JOURNAL_MARK = 0x01020304 };

/* Magic, mark and version stand there in every version. */
struct journal_head {
    char magic[16];
    uint32_t mark;    /* byte order */
    uint32_t version;
    uint64_t dialect; /* names and numbers of calls, size of operations */
    uint64_t world;   /* bytes of text behind this, with a zero at the end and filled up to 8 */
    uint64_t sum;     /* of what stands before it, and of the text */
};

struct journal_record {
    uint64_t size; /* of the record, this included */
    uint64_t sum;  /* of its number, from 0, and of everything behind this */
    /* what was asked */
    rank_t rank;
    node_id from, to;
    /* what was told: */
    uint32_t count;         /* operations, behind the contents */
    struct map_key answer;  /* answer_key; zero at the beginning of a rank */
    uint64_t contents;      /* uint64_t each, behind this */
    uint32_t end;           /* enum segment_end */
    int32_t code;
    struct map_key image;
    uint64_t imaged;        /* 1: the image is known */
};

uint64_t journal_dialect(void);
uint64_t journal_head_sum(const struct journal_head *, const char *text);
uint64_t journal_record_sum(const struct journal_record *, uint64_t number);

/* Whether a whole and undamaged record stands at the beginning of `bytes` bytes. */
bool journal_record_is_good(const struct journal_record *, uint64_t bytes, uint64_t number);

/* Of a good record; borrowed from it. */
struct segment journal_record_segment(const struct journal_record *);

#endif
