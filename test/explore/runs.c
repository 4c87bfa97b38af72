/*
 * runs -- explores a real program and prints how many runs it has and how they
 * end, and what that took.  For test/explore.py and test/journal.py.
 *
 * usage: runs [--journal FILE] [--jobs N] [--merge 0|1] [--stop K] [--deepen-after W] RANKS zero|infinite|any PROGRAM [ARGUMENTS]
 * --journal: keeps the search in FILE, or goes on with it if it exists.
 * --stop: ends after K segments that were not in the journal.
 * --deepen-after: after so much work it goes on in the order of costs (explore.h).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "call/dynamic.h"
#include "drive/drive.h"
#include "explore/explore.h"
#include "journal/journal.h"

static enum visit go_on(void *unused, const struct run *run)
{
    (void)unused, (void)run;
    return VISIT_GOOD;
}

/* A runner that fails after some segments. */
struct limited {
    struct runner inner;
    uint64_t left;
};

static int run(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    struct limited *limited = data;
    if (limited->left-- == 0)
        return -1;
    return limited->inner.run(limited->inner.data, rank, from, ret, to, segment);
}

static int adopt(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                 const struct segment *segment)
{
    struct limited *limited = data;
    return limited->inner.adopt(limited->inner.data, rank, from, ret, to, segment);
}

static void same(void *data, node_id node, node_id as)
{
    struct limited *limited = data;
    limited->inner.same(limited->inner.data, node, as);
}

static struct journal *open_journal(const char *path, const char *world)
{
    const char *error;
    if (access(path, F_OK) < 0) {
        struct journal *journal = journal_create(path, world);
        return journal ? journal : (die("cannot make %s", path), NULL);
    }
    struct journal *journal = journal_open(path, &error);
    if (!journal)
        die("%s %s", path, error);
    if (strcmp(journal_world(journal), world) != 0)
        die("%s is of %s, not %s", path, journal_world(journal), world);
    return journal;
}

static bool pays(void *data)
{
    const struct runner *inner = &((struct limited *)data)->inner;
    return inner->pays(inner->data);
}

static bool ahead(void *data, rank_t rank, node_id from, const struct ret *ret)
{
    const struct runner *inner = &((struct limited *)data)->inner;
    return inner->ahead(inner->data, rank, from, ret);
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    uint64_t stop = UINT64_MAX, deepen_after = 0;
    uint32_t jobs = 1;
    bool merge = false;
    for (; argc > 2 && strncmp(argv[1], "--", 2) == 0; argc -= 2, argv += 2) {
        if (strcmp(argv[1], "--journal") == 0)
            path = argv[2];
        else if (strcmp(argv[1], "--merge") == 0)
            merge = atoi(argv[2]);
        else if (strcmp(argv[1], "--jobs") == 0)
            jobs = (uint32_t)strtoul(argv[2], NULL, 10);
        else if (strcmp(argv[1], "--deepen-after") == 0)
            deepen_after = strtoull(argv[2], NULL, 10);
        else
            stop = strtoull(argv[2], NULL, 10);
    }
    if (argc < 4) {
        fprintf(stderr, "usage: runs [--journal FILE] [--jobs N] [--merge 0|1] [--stop K] [--deepen-after W] RANKS zero|infinite|any PROGRAM [ARGUMENTS]\n");
        return 3;
    }
    struct world_options world = {.ranks = atoi(argv[1]),
                                  .slack = strcmp(argv[2], "zero") == 0 ? SLACK_ZERO : SLACK_INFINITE,
                                  .mute = true,
                                  .images = merge,
                                  .most_spawned = DYNAMIC_MOST_SPAWNED,
                                  .argv = argv + 3};
    struct journal *journal = path ? open_journal(path, argv[3]) : NULL;
    struct drive *drive;
    struct explorer *explorer;
    struct explore_result result;
    for (;;) {
        drive = drive_new(&world);
        struct limited limited = {drive_runner(drive), stop};
        struct runner runner = {.run = run, .adopt = adopt, .same = same, .pays = pays, .ahead = ahead, .data = &limited};
        if (journal)
            runner = journal_runner(journal, &runner, world.ranks);
        struct explore_options options = {.ranks = world.ranks,
                                          .spawnable = world.spawnable,
                                          .slack = world.slack,
                                          .jobs = jobs,
                                          .merge = merge,
                                          .deepen_after = deepen_after,
                                          .any_slack = strcmp(argv[2], "any") == 0};
        explorer = explore_new(&runner, &options);
        result = explore_run(explorer, go_on, NULL);
        int wanted = drive_wants_spawnable(drive);
        if (!wanted)
            break;
        explore_free(explorer);
        drive_free(drive);
        world.ranks += wanted - world.spawnable;
        world.spawnable = wanted;
    }
    struct drive_cost cost = drive_cost(drive);
    printf("runs %" PRIu64 " clean %" PRIu64 " deadlock %" PRIu64 " livelock %" PRIu64 " crash %" PRIu64
           " error %" PRIu64 " refused %" PRIu64 " mismatch %" PRIu64 " diverged %" PRIu64 " cuts %" PRIu64
           " left %" PRIu32 " segments %" PRIu64 " copies %" PRIu64 " starts %" PRIu64 " again %" PRIu64
           " merged %" PRIu64 " stood %.0f",
           result.runs, result.by_end[RUN_CLEAN], result.by_end[RUN_DEADLOCK], result.by_end[RUN_LIVELOCK],
           result.by_end[RUN_CRASH], result.by_end[RUN_ERROR], result.by_end[RUN_REFUSED], result.by_end[RUN_MISMATCH],
           result.by_end[RUN_DIVERGED], result.slack_deadlocks, result.left, result.segments, cost.copies, cost.starts,
           cost.again, result.merged, result.stood_for);
    if (journal) {
        struct journal_count count = journal_count(journal);
        printf(" told %" PRIu64 " appended %" PRIu64 " cut %" PRIu64 " strange %d", count.told, count.appended,
               count.dropped_bytes, count.strange);
        journal_close(journal);
    }
    putchar('\n');
    explore_free(explorer);
    drive_free(drive);
    return 0;
}
