/*
 * Puts between fences, of which ranks are shown what concerns them before they join: none, one or several from each rank, short and long ones, sums
 * and gets among them, on two windows by turns and on windows that are made anew.  Some ranks are late.  What was put up to a fence is there after it,
 * for the owner and for others who ask under a lock.
 *
 * run: -n 2 400
 * compare: openmpi
 * run: -n 4 300
 * run: -n 5 60
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_PUT = 900, CELLS = 2 + LONG_PUT }; /* for each origin: what it has put, a sum, and a long row */

struct memory {
    MPI_Win win;
    int *cell;
    int *expected;
};

static int rank, size;

/* Of the round, the same in all ranks. */
static unsigned chance(int round, int origin, int target, unsigned what)
{
    unsigned x = (unsigned)round * 2654435761u ^ (unsigned)origin * 40503u ^ (unsigned)target * 9176u ^ what * 7919u;
    x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
    return x;
}

static int *row_of(int *cells, int origin)
{
    return cells + origin * CELLS;
}

static struct memory make(void)
{
    struct memory m;
    int bytes = size * CELLS * (int)sizeof(int);
    MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &m.cell, &m.win);
    m.expected = calloc(1, bytes);
    memset(m.cell, 0, bytes);
    MPI_Win_fence(0, m.win);
    return m;
}

static void destroy(struct memory *m)
{
    MPI_Win_free(&m->win);
    free(m->expected);
}

static void access_target(struct memory *m, int round, int target, int *row, int *got)
{
    int one = 1, base = rank * CELLS;
    unsigned what = chance(round, rank, target, 0) % 8;
    row[0] = round + 1;
    if (what < 5)
        MPI_Put(row, 1, MPI_INT, target, base, 1, MPI_INT, m->win);
    if (what == 1)
        MPI_Accumulate(&one, 1, MPI_INT, target, base + 1, 1, MPI_INT, MPI_SUM, m->win);
    if (what == 2)
        MPI_Put(row, LONG_PUT, MPI_INT, target, base + 2, LONG_PUT, MPI_INT, m->win);
    if (what == 6)
        MPI_Get(got, 1, MPI_INT, target, base + 1, 1, MPI_INT, m->win);
}

/* What all have put to one member; this rank knows it of its own part. */
static void expect(struct memory *m, int round, int origin)
{
    int *row = row_of(m->expected, origin);
    unsigned what = chance(round, origin, rank, 0) % 8;
    if (what < 5)
        row[0] = round + 1;
    if (what == 1)
        row[1]++;
    for (int i = 0; what == 2 && i < LONG_PUT; i++)
        row[2 + i] = i ? origin + i : round + 1;
}

static void be_late(int round)
{
    static volatile int worked;
    if (chance(round, rank, 0, 1) % 16 == 0)
        for (int i = 0; i < 100000; i++)
            worked += i;
}

static int check_own(const struct memory *m, int round)
{
    int wrong = memcmp(m->cell, m->expected, size * CELLS * sizeof(int)) != 0;
    if (wrong)
        printf("rank %d, round %d: its window is not as it should be\n", rank, round);
    return wrong;
}

/* Nobody puts anything more before all have looked. */
static int check_round(const struct memory *m, int round)
{
    int wrong = check_own(m, round);
    MPI_Barrier(MPI_COMM_WORLD);
    return wrong;
}

/* What others see is what the owner has. */
static int check_other(const struct memory *m, int round)
{
    int other = (int)(chance(round, rank, 0, 2) % (unsigned)size), all = size * CELLS, wrong;
    int *seen = malloc(all * sizeof *seen), *theirs = malloc(all * size * sizeof *theirs);
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, m->win);
    MPI_Get(seen, all, MPI_INT, other, 0, all, MPI_INT, m->win);
    MPI_Win_unlock(other, m->win);
    MPI_Allgather(m->expected, all, MPI_INT, theirs, all, MPI_INT, MPI_COMM_WORLD);
    wrong = memcmp(seen, theirs + other * all, all * sizeof *seen) != 0;
    if (wrong)
        printf("rank %d, round %d: the window of rank %d is not as it should be\n", rank, round, other);
    free(seen);
    free(theirs);
    return wrong;
}

static int play_round(struct memory *m, int round)
{
    int *row = calloc(size * LONG_PUT, sizeof *row), *got = calloc(size, sizeof *got), wrong = 0;
    int looked_at = chance(round, 0, 0, 3) % 8 == 0;
    be_late(round);
    for (int target = 0; target < size; target++) {
        for (int i = 0; i < LONG_PUT; i++)
            row[target * LONG_PUT + i] = rank + i;
        access_target(m, round, target, row + target * LONG_PUT, got + target);
    }
    MPI_Win_fence(looked_at ? MPI_MODE_NOSUCCEED : 0, m->win);
    for (int origin = 0; origin < size; origin++)
        expect(m, round, origin);
    if (looked_at || chance(round, 0, 0, 5) % 4 == 0)
        wrong += check_round(m, round);
    if (looked_at) {
        wrong += check_other(m, round);
        MPI_Win_fence(MPI_MODE_NOPRECEDE, m->win);
    }
    free(row);
    free(got);
    return wrong;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int rounds = argc > 1 ? atoi(argv[1]) : 100, wrong = 0;
    struct memory m[2] = {make(), make()};
    for (int round = 0; round < rounds; round++) {
        wrong += play_round(&m[chance(round, 0, 0, 4) % 2], round);
        if (round % 50 == 49) {
            destroy(&m[0]);
            m[0] = make();
        }
    }
    destroy(&m[0]);
    destroy(&m[1]);
    MPI_Finalize();
    return wrong != 0;
}
