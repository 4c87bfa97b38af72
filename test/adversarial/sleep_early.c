/*
 * Who sleeps before MPI_Init, say until a file system has come up, takes virtual time only, and its clocks show it.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct timespec tenth = {0, 100000000}, until;
    time_t start = time(NULL);
    sleep(3600);
    usleep(900000);
    nanosleep(&tenth, NULL);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 1000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    double slept = difftime(time(NULL), start);
    MPI_Init(&argc, &argv);
    if (slept < 4601 || slept > 4602 || difftime(time(NULL), start) < slept)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
