/*
 * A place that held a clock value holds a state later: a union, a slot of the stack that two functions have one after
 * the other, a block of the heap that was freed and got again.
 *
 * check: -n 3 -- union: crash error UNION
 * runs: -n 3 -- union: 2, merged 2
 * check: -n 3 -- stack: crash error STACK
 * runs: -n 3 -- stack: 2, merged 2
 * check: -n 3 -- heap: crash error HEAP
 * runs: -n 3 -- heap: 2, merged 2
 * check: -n 3 -- stack right: none
 * runs: -n 3 -- stack right: 2, merged 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int got;

static long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_nsec * 1000 + time.tv_sec;
}

static int hear(int source, int tag)
{
    int who;

    MPI_Recv(&got, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    who = got;
    got = 0;
    return who;
}

static void wipe_stack(void)
{
    volatile char room[1 << 15];

    for (unsigned i = 0; i < sizeof room; i++)
        room[i] = 0;
}

static void with_union(int right)
{
    static union {
        long time;
        long who;
    } place;
    int who = hear(MPI_ANY_SOURCE, 0);

    place.time = now();
    who += 2 * hear(MPI_ANY_SOURCE, 0);
    place.who = right ? 0 : who;
    who = 0;
    wipe_stack();
    hear(1, 1);
    place.who = 6 / (place.who - 4); /* UNION */
}

static void __attribute__((noinline)) hear_with_time(int *who)
{
    volatile long time = now();

    *who += 2 * hear(MPI_ANY_SOURCE, 0);
    time = 0;
}

static void __attribute__((noinline)) hear_with_state(int *who)
{
    volatile long state = *who;

    *who = 0;
    hear(1, 1);
    state = 6 / (state - 4); /* STACK */
}

static void with_stack(int right)
{
    int who = hear(MPI_ANY_SOURCE, 0);

    hear_with_time(&who);
    if (right)
        who = 0;
    wipe_stack();
    hear_with_state(&who);
}

static void with_heap(int right)
{
    long *time = malloc(100), *state;
    int who = hear(MPI_ANY_SOURCE, 0);

    *time = now();
    who += 2 * hear(MPI_ANY_SOURCE, 0);
    free(time);
    state = malloc(100);
    memset(state, 0, 100);
    *state = right ? 0 : who;
    who = 0;
    wipe_stack();
    hear(1, 1);
    *state = 6 / (*state - 4); /* HEAP */
    free(state);
}

int main(int argc, char **argv)
{
    int rank, right = argc > 2;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else if (strcmp(argv[1], "union") == 0)
        with_union(right);
    else if (strcmp(argv[1], "stack") == 0)
        with_stack(right);
    else
        with_heap(right);
    MPI_Finalize();
    return 0;
}
