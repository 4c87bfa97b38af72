/*
 * A process leads a group, or a session, before and after a receive, by the number that it has itself; its children are in it.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include "take_one.h"

static int become_leader(void)
{
    return setsid() == getpid() || (setpgid(0, 0) == 0 && getpgrp() == getpid());
}

static int does_not_lead(void)
{
    int status = 0;
    pid_t own = getpid(), child = fork();
    if (child == 0)
        _exit(getpgrp() != own || setpgid(0, 0) != 0 || getpgrp() != getpid());
    waitpid(child, &status, 0);
    return status != 0 || getpgrp() != own || getpgid(0) != own || getpgid(own) != own;
}

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        int first = take_one();
        bad = !become_leader() || does_not_lead();
        take_one();
        bad |= does_not_lead();
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
