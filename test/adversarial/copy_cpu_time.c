/*
 * The time that a process has used does not go back.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>

#include <mpi.h>

#include "take_one.h"

static double used(void)
{
    struct timespec t;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        double start = used(), now;
        clock_t ticks = clock();
        while (used() < start + 0.02)
            ;
        start = used(), ticks = clock();
        int first = take_one();
        now = used();
        bad |= now < start || clock() < ticks;
        take_one();
        bad |= used() < now || clock() < ticks;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
