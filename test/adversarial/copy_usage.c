/*
 * What a process has used so far does not become less.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <sys/resource.h>
#include <sys/times.h>
#include <mpi.h>

#include "take_one.h"

static double used(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static clock_t ticks(void)
{
    struct tms used;
    times(&used);
    return used.tms_utime + used.tms_stime;
}

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (volatile int i = 0; i < 20000000; i++)
            ;
        double before = used();
        clock_t ticks_before = ticks();
        int first = take_one();
        bad |= used() < before || ticks() < ticks_before;
        take_one();
        bad |= used() < before || ticks() < ticks_before;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
