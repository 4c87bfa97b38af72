#include "world/pace.h"

#include <time.h>

#include "world/world.h"

enum {
    ROUNDS = 64,          /* looked at together */
    SHORT = 60 * 1000,    /* ns per round, and */
    SHORT_RANK = 15000,   /* per rank: they only talk */
    LONG = 2,             /* times that: they need no answers, or few */
};

static int64_t nanoseconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void begin_again(struct pace *pace, int64_t now)
{
    pace->rounds = 0;
    pace->since = now;
}

void pace_open(struct pace *pace)
{
    *pace = (struct pace){0};
    sched_getaffinity(0, sizeof pace->allowed, &pace->allowed);
    begin_again(pace, nanoseconds_now());
}

int pace_cores(const struct pace *pace)
{
    return pace->together ? 1 : CPU_COUNT(&pace->allowed);
}

static void move_ranks(const cpu_set_t *cores, const struct rank *rank, int ranks)
{
    sched_setaffinity(0, sizeof *cores, cores);
    for (int r = 0; r < ranks; r++)
        if (rank[r].life != LIFE_GONE && rank[r].life != LIFE_UNBORN)
            sched_setaffinity(rank[r].pid, sizeof *cores, cores);
}

static void draw_together(struct pace *pace, const struct rank *rank, int ranks)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    move_ranks(&one, rank, ranks);
    pace->together = true;
}

static void spread_ranks(struct pace *pace, const struct rank *rank, int ranks)
{
    move_ranks(&pace->allowed, rank, ranks);
    pace->together = false;
}

void pace_close(struct pace *pace)
{
    sched_setaffinity(0, sizeof pace->allowed, &pace->allowed);
}

void pace_note_answer(struct pace *pace)
{
    pace->answered = true;
}

void pace_note_round(struct pace *pace, const struct rank *rank, int ranks)
{
    int64_t now = nanoseconds_now(), taken = now - pace->since;
    int64_t most = ROUNDS * (SHORT + (int64_t)SHORT_RANK * ranks);
    pace->rounds += pace->answered;
    pace->answered = false;
    if (pace->rounds < ROUNDS && taken < LONG * most)
        return;
    if (pace->rounds == ROUNDS && taken < most && !pace->together)
        draw_together(pace, rank, ranks);
    else if (pace->rounds < ROUNDS && pace->together)
        spread_ranks(pace, rank, ranks);
    begin_again(pace, now);
}

void pace_note_computing(struct pace *pace, const struct rank *rank, int ranks)
{
    if (pace->together)
        spread_ranks(pace, rank, ranks);
    begin_again(pace, nanoseconds_now());
}
