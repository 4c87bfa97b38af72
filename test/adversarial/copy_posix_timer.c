/*
 * A POSIX timer that was made before a receive is there afterwards.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <stddef.h>
#include <signal.h>
#include <time.h>

#include <mpi.h>

#include "take_one.h"

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        timer_t timer;
        struct itimerspec later = {.it_value = {.tv_sec = 1000}}, left;
        timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_NONE}, &timer);
        timer_settime(timer, 0, &later, NULL);
        int first = take_one();
        bad |= timer_gettime(timer, &left) != 0 || left.it_value.tv_sec < 900;
        take_one();
        bad |= timer_delete(timer) != 0;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
