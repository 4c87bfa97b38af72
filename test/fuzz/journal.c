/*
 * The journal: a search is told its segments, and goes on behind them with ranks that
 * exit.  Sums are made right first, unless the first byte is a 0.  So this is a journal
 * that somebody has forged: the search refuses by die or BUG what makes no sense to it,
 * which is good enough as long as it looks at nothing that is not there.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "fuzz.h"
#include "journal/format.h"
#include "journal/journal.h"

enum { RANKS = 3 };

static void make_right(char *at, size_t size)
{
    struct journal_head head;
    if (size < sizeof head)
        return;
    memcpy(&head, at, sizeof head);
    head.dialect = journal_dialect();
    if (head.world > size - sizeof head)
        return;
    head.sum = journal_head_sum(&head, at + sizeof head);
    memcpy(at, &head, sizeof head);
    at += sizeof head + head.world;
    size -= sizeof head + head.world;
    struct journal_record record;
    for (uint64_t number = 0; size >= sizeof record && (uintptr_t)at % 8 == 0; number++) {
        memcpy(&record, at, sizeof record);
        if (record.size < sizeof record || record.size > size)
            return;
        ((struct journal_record *)at)->sum = journal_record_sum((struct journal_record *)at, number);
        at += record.size;
        size -= record.size;
    }
}

static const char *journal_file(const uint8_t *bytes, size_t size)
{
    if (size == 0 || bytes[0] == 0)
        return fuzz_file(bytes + (size > 0), size - (size > 0));
    char *copy = malloc(size);
    if (!copy)
        abort();
    memcpy(copy, bytes, size);
    make_right(copy, size);
    const char *path = fuzz_file(copy, size);
    free(copy);
    return path;
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
    const char *error = NULL;
    fuzz_bugs_refuse = true;
    struct journal *journal = journal_open(journal_file(bytes, size), &error);
    if (!journal) {
        if (!error)
            abort();
        return;
    }
    struct runner inner = {.run = leave}, runner = journal_runner(journal, &inner, RANKS);
    struct explorer *explorer = explore_new(&runner, &(struct explore_options){.ranks = RANKS, .slack = SLACK_INFINITE, .any_slack = true,
                                                                              .merge = true, .max_runs = 50});
    explore_run(explorer, visit, NULL);
    explore_free(explorer);
    journal_close(journal);
}
