/*
 * The files of the ranks of two jobs: whether the ranks are stuck, and a search that knows the
 * program by these jobs alone.  Each file is its head, and behind it the records.  It refuses by die or BUG
 * what makes no sense to the search, as with a journal, which is good enough as long as it looks at
 * nothing that is not there.
 */
#include <stdlib.h>
#include <string.h>

#include "dist/dist.h"
#include "dist/deadlock.h"
#include "explore/explore.h"
#include "fuzz.h"
#include "parts.h"

enum { RANKS = 3, JOBS = 2 };

static struct part part[JOBS * RANKS];

/* The file has as many bytes as there are, unless `reserved` is 2 or more; it ended, if it is odd. */
static struct tale read_file(struct part part, rank_t r, struct modules *modules)
{
    struct tale tale;
    struct tale_end end = {0};
    size_t records = part.size < sizeof(struct causal_head) ? 0 : part.size - sizeof(struct causal_head);
    char *file = calloc(1, CAUSAL_RECORDS + records);
    if (!file)
        abort();
    if (part.size)
        memcpy(file, part.bytes, part.size - records);
    if (records) {
        struct causal_head *head = (struct causal_head *)file;
        memcpy(file + CAUSAL_RECORDS, part.bytes + sizeof *head, records);
        end = (struct tale_end){.ended = head->reserved & 1, .status = head->pid};
        if (head->reserved < 2)
            atomic_store(&head->bytes, records);
    }
    enum tale_fault fault = tale_read(&tale, file, CAUSAL_RECORDS + records, RANKS, end, modules);
    free(file);
    if (!fault && tale.rank == r)
        return tale;
    if (!fault)
        tale_release(&tale);
    tale_nothing(&tale, end);
    return tale;
}

static struct tale *read_job(uint64_t job, struct modules *modules)
{
    struct tale *tales = calloc(RANKS, sizeof *tales);
    if (!tales)
        abort();
    for (rank_t r = 0; r < RANKS; r++)
        tales[r] = read_file(part[job % JOBS * RANKS + (size_t)r], r, modules);
    return tales;
}

static void look(uint64_t job)
{
    struct modules modules = {0};
    struct tale *tales = read_job(job, &modules);
    deadlock_verdict(tales, RANKS);
    for (rank_t r = 0; r < RANKS; r++)
        tale_release(&tales[r]);
    free(tales);
    modules_release(&modules);
}

static uint64_t start(void *data, const char *decisions)
{
    (void)decisions;
    return (*(uint64_t *)data)++;
}

static struct tale *wait_for(void *data, uint64_t job, struct modules *modules)
{
    (void)data;
    return job < JOBS ? read_job(job, modules) : NULL;
}

static size_t running(void *data)
{
    (void)data;
    return 0;
}

static enum visit visit(void *data, const struct run *run)
{
    (void)data, (void)run;
    return VISIT_GOOD;
}

void fuzz_one(const uint8_t *bytes, size_t size)
{
    uint64_t started = 0;
    fuzz_bugs_refuse = true;
    parts_cut(part, JOBS * RANKS, bytes, size);
    struct dist *dist = dist_new(&(struct job_source){start, wait_for, running, &started}, RANKS, 1);
    struct runner runner = dist_runner(dist);
    struct explorer *explorer = explore_new(&runner, &(struct explore_options){.ranks = RANKS, .slack = SLACK_INFINITE, .any_slack = true,
                                                                              .merge = true, .max_runs = 50});
    explore_run(explorer, visit, NULL);
    explore_free(explorer);
    dist_free(dist);
    for (uint64_t job = 0; job < JOBS; job++)
        look(job);
}
