/*
 * All clocks that there are, read around some work and reduced, and a program that goes by what comes out; and sleeps of an hour,
 * which take no time.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <poll.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum { CLOCKS = 10, HOUR = 3600 };

static double seconds(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double seconds_of_kernel(void)
{
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void read_all(double *value)
{
    struct timeval now;
    struct tms used;
    struct rusage usage;
    gettimeofday(&now, NULL);
    getrusage(RUSAGE_SELF, &usage);
    value[0] = seconds(CLOCK_MONOTONIC);
    value[1] = seconds(CLOCK_THREAD_CPUTIME_ID);
    value[2] = (double)now.tv_sec + (double)now.tv_usec * 1e-6;
    value[3] = (double)time(NULL);
    value[4] = (double)clock();
    value[5] = (double)times(&used) + (double)used.tms_utime;
    value[6] = (double)usage.ru_utime.tv_usec + (double)usage.ru_minflt;
    value[7] = (double)__rdtsc();
    value[8] = MPI_Wtime();
    value[9] = seconds_of_kernel();
}

static void sleep_for_hours(void)
{
    struct timespec end = {0};
    struct timeval hour = {.tv_sec = HOUR};
    sleep(HOUR);
    poll(NULL, 0, HOUR * 1000);
    select(0, NULL, NULL, NULL, &hour);
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += HOUR;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
}

int main(int argc, char **argv)
{
    double before[CLOCKS], after[CLOCKS], most[CLOCKS];
    int rank, number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    read_all(before);
    if (rank == 0) {
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        number = 0;
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    sleep_for_hours();
    read_all(after);
    for (int i = 0; i < CLOCKS; i++)
        after[i] -= before[i];
    for (int i = 0; i < (long)(after[7] + after[4]) % 7; i++)
        MPI_Barrier(MPI_COMM_SELF);
    MPI_Allreduce(after, most, CLOCKS, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (most[0] < 4 * HOUR || most[0] > 5 * HOUR || most[8] < 4 * HOUR || most[7] < 4e9 * HOUR)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; rank == 0 && i < CLOCKS; i++)
        printf("%g s at most by clock %d\n", most[i], i);
    MPI_Finalize();
    return 0;
}
