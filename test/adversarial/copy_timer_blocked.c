/*
 * The time of a POSIX timer was over before a receive, and its signal is blocked: it still waits there afterwards.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <signal.h>
#include <time.h>
#include <mpi.h>

#include "take_one.h"

static int is_pending(int sig)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, sig);
}

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;
    sigset_t blocked;

    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, NULL); /* before there are threads of the library's, which might take it */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        timer_t timer;
        struct itimerspec soon = {.it_value = {.tv_nsec = 1000000}};
        timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1}, &timer);
        timer_settime(timer, 0, &soon, NULL);
        while (!is_pending(SIGUSR1))
            ;
        int first = take_one();
        take_one();
        bad |= sigtimedwait(&blocked, NULL, &(struct timespec){0}) != SIGUSR1;
        bad |= wrong && first == 2;
        timer_delete(timer);
    }
    MPI_Finalize();
    return bad;
}
