/*
 * The number of a process is the same before and after a receive, however it is asked for, and
 * a signal that it sends to that number reaches it.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <mpi.h>

#include "take_one.h"

static volatile sig_atomic_t came;

static void on_signal(int sig)
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
        pid_t pid = getpid(), parent = getppid(), thread = gettid();
        signal(SIGUSR1, on_signal);
        int first = take_one();
        bad = getpid() != pid || getppid() != parent || gettid() != thread;
        bad |= syscall(SYS_getpid) != pid || syscall(SYS_getppid) != parent || syscall(SYS_gettid) != thread;
        take_one();
        bad |= getpid() != pid || kill(pid, SIGUSR1) != 0 || came != SIGUSR1;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
