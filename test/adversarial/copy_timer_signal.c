/*
 * The signal of a POSIX timer comes in each outcome, once its time is over, and not in a rank that sleeps.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include <mpi.h>

#include "take_one.h"

static volatile sig_atomic_t came;

static void on_timer(int sig)
{
    came = sig;
}

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        timer_t timer;
        struct itimerspec soon = {.it_value = {.tv_nsec = 10000000}};
        signal(SIGUSR1, on_timer);
        timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1}, &timer);
        timer_settime(timer, 0, &soon, NULL);
        int first = take_one();
        take_one();
        while (!came)
            ;
        timer_delete(timer);
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
