/*
 * A timer of the process goes on after a receive, and its signal comes when its time is over.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <stddef.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#include <mpi.h>

#include "take_one.h"

static volatile sig_atomic_t came;

static void on_alarm(int sig)
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
        struct itimerval soon = {.it_value = {.tv_usec = 20000}}, later = {.it_value = {.tv_sec = 1000}}, left;
        signal(SIGALRM, on_alarm);
        setitimer(ITIMER_VIRTUAL, &later, NULL);
        setitimer(ITIMER_REAL, &soon, NULL);
        int first = take_one();
        take_one();
        getitimer(ITIMER_VIRTUAL, &left);
        bad |= left.it_value.tv_sec < 900;
        for (int i = 0; i < 100 && !came; i++)
            nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        bad |= !came;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
