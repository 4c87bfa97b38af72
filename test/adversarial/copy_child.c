/*
 * A child is made before a receive and waited for afterwards.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <sys/wait.h>
#include <unistd.h>

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
        pid_t child = fork();
        int status = 0;
        if (child == 0)
            _exit(7);
        int first = take_one();
        take_one();
        bad |= waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
