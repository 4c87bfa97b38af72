#include "drive/starts.h"

#include <stdlib.h>

#include "base/log.h"

struct early_start {
    rank_t rank;
    int animal;
};

struct starts {
    bool off;                   /* none is started ahead any more */
    bool begun, again;          /* first processes, and those that are to do the same again, are due */
    VEC(rank_t) due;            /* ranks of which a process will be asked for, in order, */
    size_t started;             /* and so many of these have been started */
    VEC(struct early_start) up; /* who comes up, or waits */
};

struct starts *starts_new(bool wanted)
{
    struct starts *starts = xcalloc(1, sizeof *starts);
    starts->off = !wanted;
    return starts;
}

void starts_free(struct starts *starts)
{
    vec_release(&starts->due);
    vec_release(&starts->up);
    free(starts);
}

static int first_ranks(const struct drive *drive)
{
    return drive->herd.options.ranks - drive->herd.options.spawnable;
}

void starts_end(struct drive *drive)
{
    struct starts *starts = drive->starts;
    if (!starts->off)
        LOG(drive, "no process comes up any more before it is asked for");
    starts->off = true;
    while (starts->up.n)
        drive_end_animal(drive, vec_pop(&starts->up).animal);
}

/* So many that no processor waits for tourney to start another one. */
static size_t most_ahead(const struct drive *drive)
{
    int cores = CPU_COUNT(&drive->herd.cores), most = 2 * cores, room = HERD_MAX - HERD_SPARE - drive->herd.alive;
    return cores < 2 || room < most ? 0 : (size_t)most;
}

/* One at a time, up to its MPI_Init. */
static void start_ahead(struct drive *drive)
{
    struct starts *starts = drive->starts;
    while (!starts->off && starts->started < starts->due.n && starts->up.n < most_ahead(drive)) {
        rank_t rank = starts->due.at[starts->started++];
        int animal = herd_start(&drive->herd, rank, NULL);
        drive->at[animal] = NODE_NONE;
        LOG(drive, "rank %d comes up ahead, as animal %d", rank, animal);
        vec_push(&starts->up, (struct early_start){rank, animal});
        if (!herd_comes_to_init(&drive->herd, animal))
            starts_end(drive);
    }
}

/* -1: none has come up. */
static int take_ahead(struct starts *starts, rank_t rank)
{
    for (size_t i = 0; i < starts->up.n; i++)
        if (starts->up.at[i].rank == rank) {
            int animal = starts->up.at[i].animal;
            starts->up.at[i] = vec_pop(&starts->up);
            return animal;
        }
    return -1;
}

static int start_now(struct drive *drive, rank_t rank)
{
    struct starts *starts = drive->starts;
    int animal = herd_start(&drive->herd, rank, NULL);
    if (starts->started < starts->due.n && starts->due.at[starts->started] == rank)
        starts->started++;
    if (starts->started < starts->due.n && !starts->off && !herd_comes_to_init(&drive->herd, animal))
        starts_end(drive);
    return animal;
}

int starts_take(struct drive *drive, rank_t rank)
{
    struct starts *starts = drive->starts;
    if (!starts->off && !herd_left_no_traces(&drive->herd))
        starts_end(drive);
    int animal = take_ahead(starts, rank);
    if (animal < 0)
        animal = start_now(drive, rank);
    start_ahead(drive);
    herd_want(&drive->herd, animal);
    return animal;
}

void starts_before_first(struct drive *drive)
{
    struct starts *starts = drive->starts;
    for (rank_t r = 0; !starts->begun && r < first_ranks(drive); r++)
        vec_push(&starts->due, r);
    starts->begun = true;
}

void starts_after_first(struct drive *drive, int animal)
{
    if (herd_kernel_state(&drive->herd, animal).left_traces)
        starts_end(drive);
}

static void push_starts_again(struct drive *drive, rank_t rank)
{
    for (int i = steady_starts(&drive->steady, rank); i > 0; i--)
        vec_push(&drive->starts->due, rank);
}

void starts_before_proof(struct drive *drive, rank_t rank)
{
    struct starts *starts = drive->starts;
    if (starts->again)
        return;
    starts->again = true;
    if (!herd_left_no_traces(&drive->herd))
        starts_end(drive);
    push_starts_again(drive, rank);
    for (rank_t r = 0; r < first_ranks(drive); r++)
        if (r != rank)
            push_starts_again(drive, r);
    start_ahead(drive);
}
