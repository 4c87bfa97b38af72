/*
 * format -- the bytes of a journal; doc/journal.md tells them in words.
 *
 * A head, then blocks, each aligned to 8 bytes and in the writer's byte order.  A block holds records, packed
 * (packing.h).  Operations are as in memory (call/op.h), so `dialect` says what they were made by.
 */
#ifndef JOURNAL_FORMAT_H
#define JOURNAL_FORMAT_H

#include <stdbool.h>

#include "explore/runner.h"

#define JOURNAL_MAGIC "tourney journal\n"

enum { JOURNAL_VERSION = 5, JOURNAL_MARK = 0x01020304 };

/* Magic, mark and version stand there in every version. */
struct journal_head {
    char magic[16];
    uint32_t mark;    /* byte order */
    uint32_t version;
    uint64_t dialect; /* names and numbers of calls, size of operations */
    uint64_t world;   /* bytes of text behind this, with a zero at the end and filled up to 8 */
    uint64_t sum;     /* of what stands before it, and of the text */
};

struct journal_block {
    uint64_t size;    /* of the block, this included */
    uint64_t sum;     /* of its number, from 0, and of everything else */
    uint64_t packed;  /* bytes behind this, filled up to 8 */
    uint64_t holds;   /* bytes, when they are unpacked */
    uint32_t records; /* in these */
    uint32_t begins;  /* 1: a new stream of packed bytes */
};

/* What the search has asked.  All but the first has no contents and no operations. */
enum journal_question {
    ASKED_FOR_SEGMENT,
    ASKED_FOR_LOOK,  /* at the node `to` */
    ASKED_FOR_FILES, /* whether ranks have changed files; the answer is another than it was before, */
    ASKED_FOR_TIME,  /* whether half of the time is gone; the same */
    JOURNAL_QUESTIONS
};

struct journal_record {
    uint64_t size; /* of the record, this included */
    /* what was asked: */
    rank_t rank;
    node_id from, to;
    uint32_t answer;   /* of answer_key, a part; 0 at the beginning of a rank.  Of files and time: so often it was asked in vain since the last record */
    /* what was told: */
    uint64_t contents; /* uint64_t each, behind this */
    uint32_t count;    /* operations, behind the contents */
    uint32_t end;      /* enum segment_end */
    int32_t code;
    uint16_t imaged;   /* 1: the image is known; of files and time: it is so */
    uint16_t effort;   /* as in struct segment */
    struct map_key image;
    uint32_t noes;     /* as in struct segment */
    uint32_t question; /* enum journal_question */
};

uint64_t journal_dialect(void);
uint64_t journal_head_sum(const struct journal_head *, const char *text);
uint64_t journal_block_sum(const struct journal_block *, uint64_t number);

/* Whether a whole and undamaged block stands at the beginning of `bytes` bytes. */
bool journal_block_is_good(const struct journal_block *, uint64_t bytes, uint64_t number);

/*
 * In a block, numbers that count on from record to record are differences, so that records of a loop look alike: `from`
 * is counted back from `to`, `to` from that of the record before in the stream, which is `before`, or 0, and payloads from
 * the name of the node's first.
 */
void journal_record_relate(struct journal_record *, node_id before);

/*
 * All records of a block as they were; `before` moves on to the last of them.  False: they are not so many, or one is not
 * whole, so that a stranger must have written them.
 */
bool journal_records_restore(char *at, size_t bytes, uint32_t records, node_id *before);

/* Of a record as it was; borrowed from it. */
struct segment journal_record_segment(const struct journal_record *);

#endif
