#include "inputs/trial.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/die.h"
#include "base/hash.h"
#include "play/play.h"

enum {
    PATIENCE = 10,         /* seconds without a call of MPI, after which a rank is taken to hang */
    MOST_CALLS = 100000,   /* of a run that is looked at; what takes longer is for the search */
    MOST_SPAWNED = 65,     /* numbers for ranks that others start, and for the registry */
};

void input_trial_open(struct input_trial *trial, const struct world_options *world)
{
    *trial = (struct input_trial){.world = *world};
    if (world->most_spawned && !world->spawnable) {
        trial->world.spawnable = MOST_SPAWNED;
        trial->world.ranks += MOST_SPAWNED;
    }
    if (!world->hang_timeout || world->hang_timeout > PATIENCE)
        trial->world.hang_timeout = PATIENCE;
    trial->world.unguarded = trial->world.uncompared = true;
    trial->bytes = (size_t)trial->world.ranks * COVERAGE_STRIDE;
    trial->memory = memfd_create("tourney-coverage", MFD_CLOEXEC);
    if (trial->memory < 0 || ftruncate(trial->memory, (off_t)trial->bytes) < 0)
        die("cannot make memory for what ranks note: %s", strerror(errno));
    trial->areas = mmap(NULL, trial->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, trial->memory, 0);
    if (trial->areas == MAP_FAILED)
        die("cannot make memory for what ranks note: %s", strerror(errno));
    trial->world.coverage = trial->memory;
}

void input_trial_close(struct input_trial *trial)
{
    munmap(trial->areas, trial->bytes);
    close(trial->memory);
}

/* Areas that no rank writes to take no memory. */
static void clear_areas(struct input_trial *trial)
{
    if (ftruncate(trial->memory, 0) < 0 || ftruncate(trial->memory, (off_t)trial->bytes) < 0)
        die("cannot make memory for what ranks note: %s", strerror(errno));
}

static const struct coverage_area *area_of(const struct input_trial *trial, rank_t r)
{
    return (const void *)(trial->areas + (size_t)r * COVERAGE_STRIDE);
}

/* ---- features ---- */

enum { SOME_RANKS = 1 << 20, EQUAL_KIND = 1 << 21, END_KIND = 1 << 24 }; /* each behind the numbers of the ones before */

/* About how often: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, or more. */
static uint32_t about(uint8_t count)
{
    return count < 4 ? count - 1u : count < 8 ? 3 : count < 16 ? 4 : count < 32 ? 5 : count < 128 ? 6 : 7;
}

/* How many ranks came there: one, some, or all. */
static uint32_t share(int ranks, int all)
{
    return ranks == all ? 2 : ranks == 1 ? 0 : 1;
}

static void add_pairs(const struct input_trial *trial, int ranks, struct observation *seen)
{
    uint8_t *reached = xcalloc(COVERAGE_PAIRS, 1);
    int started = 0;
    for (rank_t r = 0; r < ranks; r++) {
        const struct coverage_area *area = area_of(trial, r);
        for (uint32_t i = 0; i < COVERAGE_PAIRS; i++)
            if (area->pair[i]) {
                vec_push(&seen->features, i * 8 + about(area->pair[i]));
                reached[i] += reached[i] < UINT8_MAX;
            }
        started++;
    }
    for (uint32_t i = 0; i < COVERAGE_PAIRS; i++)
        if (reached[i])
            vec_push(&seen->features, SOME_RANKS + i * 4 + share(reached[i], started < UINT8_MAX ? started : UINT8_MAX));
    free(reached);
}

/* A program that writes where it likes may have written here. */
static void add_compared(const struct input_trial *trial, int ranks, struct observation *seen)
{
    for (rank_t r = 0; r < ranks; r++) {
        const struct coverage_area *area = area_of(trial, r);
        seen->tells = seen->tells || area->tells;
        for (uint32_t i = 0; i < area->compared && i < COVERAGE_COMPARED; i++)
            if (compared_is_sound(&area->compare[i]))
                vec_push(&seen->compared, area->compare[i]);
        for (uint32_t i = 0; i < area->texts && i < COVERAGE_TEXTS; i++)
            if (compared_text_is_sound(&area->text[i]))
                vec_push(&seen->texts, area->text[i]);
    }
}

/* That two things are equal which the program compares need not show by a branch. */
static void add_equal(struct observation *seen)
{
    for (size_t i = 0; i < seen->compared.n; i++)
        if (seen->compared.at[i].left == seen->compared.at[i].right)
            vec_push(&seen->features, EQUAL_KIND + (uint32_t)(seen->compared.at[i].place * 0x9e3779b97f4a7c15 >> 44));
}

/* How it ended, and where ranks were that had not. */
static void add_end(const struct play *play, int ranks, const struct outcome *outcome, struct observation *seen)
{
    struct map_key sum = HASH_START;
    hash_stir(&sum, (uint64_t)outcome->kind);
    hash_stir(&sum, (uint64_t)outcome->code);
    for (rank_t r = 0; r < ranks && outcome->kind != RUN_CLEAN; r++)
        if (play_is_waiting(play, r))
            hash_stir(&sum, play_call(play, r)->place ^ (uint64_t)r << 48);
    for (size_t i = 0; i < play_complaints(play); i++) {
        rank_t r;
        hash_stir(&sum, play_complaint(play, i, &r)->place);
    }
    seen->failed = outcome->kind != RUN_CLEAN || outcome->code || play_complaints(play);
    vec_push(&seen->features, END_KIND + (uint32_t)(sum.low >> 40));
}

void input_trial_run(struct input_trial *trial, struct observation *seen)
{
    clear_areas(trial);
    struct world *world = world_start(&trial->world);
    struct play *play = play_new(world, trial->world.slack, NULL, NULL, NULL);
    play_set_limit(play, MOST_CALLS);
    struct outcome outcome = play_run(play);
    int ranks = world_ranks(world);
    trial->signal = world_signal(world);
    world_end(world);
    add_pairs(trial, ranks, seen);
    add_compared(trial, ranks, seen);
    add_equal(seen);
    add_end(play, ranks, &outcome, seen);
    outcome_release(&outcome);
    play_free(play);
    world_free(world);
}
