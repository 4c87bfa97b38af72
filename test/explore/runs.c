/*
 * runs -- explores a real program and prints how many runs it has and how they
 * end, and what that took.  For test/explore.py.
 *
 * usage: runs RANKS zero|infinite|any PROGRAM [ARGUMENTS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive/drive.h"
#include "explore/explore.h"

static enum visit go_on(void *unused, const struct run *run)
{
    (void)unused, (void)run;
    return VISIT_GOOD;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: runs RANKS zero|infinite|any PROGRAM [ARGUMENTS]\n");
        return 3;
    }
    struct world_options world = {.ranks = atoi(argv[1]),
                                  .slack = strcmp(argv[2], "zero") == 0 ? SLACK_ZERO : SLACK_INFINITE,
                                  .mute = true,
                                  .argv = argv + 3};
    struct drive *drive = drive_new(&world);
    struct runner runner = drive_runner(drive);
    struct explore_options options = {
        .ranks = world.ranks, .slack = world.slack, .any_slack = strcmp(argv[2], "any") == 0};
    struct explorer *explorer = explore_new(&runner, &options);
    struct explore_result result = explore_run(explorer, go_on, NULL);
    struct drive_cost cost = drive_cost(drive);
    printf("runs %" PRIu64 " clean %" PRIu64 " deadlock %" PRIu64 " livelock %" PRIu64 " crash %" PRIu64
           " error %" PRIu64 " mismatch %" PRIu64 " cuts %" PRIu64 " left %" PRIu32 " segments %" PRIu64 " copies %" PRIu64
           " starts %" PRIu64 "\n",
           result.runs, result.by_end[RUN_CLEAN], result.by_end[RUN_DEADLOCK], result.by_end[RUN_LIVELOCK],
           result.by_end[RUN_CRASH], result.by_end[RUN_ERROR], result.by_end[RUN_MISMATCH], result.cuts, result.left,
           result.segments, cost.copies, cost.starts);
    explore_free(explorer);
    drive_free(drive);
    return 0;
}
