/*
 * The journal: a search is told its segments, and goes on behind them with ranks that
 * exit.  An input is a head and the records of one block, which is packed here; behind a byte 1, a whole journal; behind
 * a 0, one whose sums are not made right.  So this is a journal
 * that somebody has forged: the search refuses by die or BUG what makes no sense to it,
 * which is good enough as long as it looks at nothing that is not there.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explore/explore.h"
#include "fuzz.h"
#include "journal/format.h"
#include "journal/journal.h"
#include "journal/packing.h"

enum { RANKS = 3 };

/* The size of the head with its text, which is made right; 0: there is none. */
static size_t make_head_right(char *at, size_t size)
{
    struct journal_head head;
    if (size < sizeof head)
        return 0;
    memcpy(&head, at, sizeof head);
    head.version = JOURNAL_VERSION; /* that of another is refused, and nothing behind it is looked at */
    head.dialect = journal_dialect();
    if (head.world > size - sizeof head)
        return 0;
    head.sum = journal_head_sum(&head, at + sizeof head);
    memcpy(at, &head, sizeof head);
    return sizeof head + head.world;
}

static void make_blocks_right(char *at, size_t size)
{
    struct journal_block block;
    for (uint64_t number = 0; size >= sizeof block && (uintptr_t)at % 8 == 0; number++) {
        memcpy(&block, at, sizeof block);
        if (block.size < sizeof block || block.size > size)
            return;
        ((struct journal_block *)at)->sum = journal_block_sum((struct journal_block *)at, number);
        at += block.size;
        size -= block.size;
    }
}

static uint32_t count_records(const char *at, size_t size)
{
    struct journal_record record;
    uint32_t n = 0;
    for (; size >= sizeof record; n++) {
        memcpy(&record, at, sizeof record);
        if (record.size < sizeof record || record.size > size)
            break;
        at += record.size;
        size -= record.size;
    }
    return n;
}

static void append(bytes_t *file, const void *bytes, size_t n)
{
    vec_reserve(file, n);
    if (n)
        memcpy(file->at + file->n, bytes, n);
    file->n += n;
}

static void append_block(bytes_t *file, const char *records, size_t size)
{
    size_t at = file->n;
    struct journal_block head = {.holds = size, .records = count_records(records, size), .begins = 1};
    struct packer *packer = packer_new();
    append(file, &head, sizeof head);
    packer_add(packer, records, size, file);
    packer_free(packer);
    head.packed = file->n - at - sizeof head;
    append(file, (char[8]){0}, op_round(file->n) - file->n);
    head.size = file->n - at;
    memcpy(file->at + at, &head, sizeof head);
    make_blocks_right(file->at + at, head.size);
}

/* A journal is no link, as fuzz_file would be.  The file has its name only while it is opened. */
static struct journal *open_file(const void *bytes, size_t size)
{
    const char *error = NULL;
    char path[] = "/tmp/tourney-fuzz-journal-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    close(fd);
    struct journal *journal = journal_open(path, &error);
    unlink(path);
    if (!journal && !error)
        abort();
    return journal;
}

static struct journal *open_journal(const uint8_t *bytes, size_t size)
{
    if (size == 0 || bytes[0] == 0)
        return open_file(bytes + (size > 0), size - (size > 0));
    bool whole = bytes[0] == 1;
    char *copy = malloc(size);
    if (!copy)
        abort();
    memcpy(copy, bytes + whole, size - whole);
    size_t head = make_head_right(copy, size - whole);
    bytes_t file = {0};
    append(&file, copy, whole ? size - 1 : head);
    if (whole && head)
        make_blocks_right(file.at + head, file.n - head);
    else if (head)
        append_block(&file, copy + head, size - head);
    struct journal *journal = open_file(file.at, file.n);
    vec_release(&file);
    free(copy);
    return journal;
}

static int leave(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    (void)data, (void)rank, (void)from, (void)ret, (void)to;
    *segment = (struct segment){.end = SEGMENT_EXIT};
    return 0;
}

static enum visit visit(void *data, const struct run *run)
{
    (void)data, (void)run;
    return VISIT_GOOD;
}

void fuzz_one(const uint8_t *bytes, size_t size)
{
    fuzz_bugs_refuse = true;
    struct journal *journal = open_journal(bytes, size);
    if (!journal)
        return;
    struct runner inner = {.run = leave}, runner = journal_runner(journal, &inner, RANKS);
    struct explorer *explorer = explore_new(&runner, &(struct explore_options){.ranks = RANKS, .slack = SLACK_INFINITE, .any_slack = true,
                                                                              .merge = true, .max_runs = 50});
    explore_run(explorer, visit, NULL);
    explore_free(explorer);
    journal_close(journal);
}
