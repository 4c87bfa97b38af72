/*
 * A child finds its parent by the number that the parent has, before and after a receive.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <mpi.h>

#include "take_one.h"

/* What a child says of its parent. */
static int child_disagrees(void)
{
    int status = 0;
    pid_t own = getpid(), child = fork();
    if (child == 0)
        _exit(getppid() != own || getpid() == own || kill(own, 0) != 0);
    waitpid(child, &status, 0);
    return status != 0;
}

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        bad |= child_disagrees();
        int first = take_one();
        bad |= child_disagrees();
        take_one();
        bad |= child_disagrees();
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
