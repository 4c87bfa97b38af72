/*
 * looks -- explores a real program, looks at the memory of rank 0 wherever it sleeps, and
 * prints how many different images its histories have, and how long the first look and
 * further ones took.  For test/images.py.
 *
 * usage: looks RANKS PROGRAM
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/die.h"
#include "base/mem.h"
#include "drive/drive.h"
#include "explore/explore.h"
#include "world/image.h"

/* A runner that passes everything on to the drive and looks at what comes of it. */
struct onlooker {
    struct drive *drive;
    struct runner runner;
    VEC(struct image *) image; /* by node */
    struct map seen;
    uint64_t sleeps;
    double first, further;     /* microseconds in all looks of the kind */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static void look(struct onlooker *onlooker, node_id from, node_id node)
{
    struct map_key sum;
    struct image *image = from ? image_copy(onlooker->image.at[from]) : image_new();
    pid_t pid = drive_process(onlooker->drive, node);
    const struct wire_sleep *sleep = drive_sleep(onlooker->drive, node);
    double start = now();
    if (!sleep || image_look(image, pid, sleep, false, &sum) < 0)
        die("there is no image of node %u", node);
    *(from ? &onlooker->further : &onlooker->first) += now() - start;
    onlooker->image.at[node] = image;
    onlooker->sleeps++;
    map_put(&onlooker->seen, sum, node);
}

static int run(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    struct onlooker *onlooker = data;
    int result = onlooker->runner.run(onlooker->runner.data, rank, from, ret, to, segment);
    while (onlooker->image.n <= to)
        vec_push(&onlooker->image, NULL);
    if (rank == 0 && result == 0 && segment->end == SEGMENT_CALL)
        look(onlooker, from, to);
    return result;
}

static enum visit go_on(void *unused, const struct run *run)
{
    (void)unused, (void)run;
    return VISIT_GOOD;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: looks RANKS PROGRAM\n");
        return 3;
    }
    struct world_options world = {.ranks = atoi(argv[1]), .slack = SLACK_INFINITE, .mute = true, .argv = argv + 2};
    struct onlooker onlooker = {.drive = drive_new(&world)};
    onlooker.runner = drive_runner(onlooker.drive);
    struct runner runner = {.run = run, .data = &onlooker}; /* histories of this session only, none merged */
    struct explore_options options = {.ranks = world.ranks, .slack = world.slack};
    struct explorer *explorer = explore_new(&runner, &options);
    explore_run(explorer, go_on, NULL);
    printf("images %zu histories %" PRIu64 " first %.0f us further %.0f us\n", onlooker.seen.n, onlooker.sleeps, onlooker.first,
           onlooker.sleeps > 1 ? onlooker.further / (onlooker.sleeps - 1) : 0);
    explore_free(explorer);
    drive_free(onlooker.drive);
    for (size_t i = 0; i < onlooker.image.n; i++)
        image_free(onlooker.image.at[i]);
    vec_release(&onlooker.image);
    map_release(&onlooker.seen);
    return 0;
}
