/*
 * An alarm that was set before a receive is still set afterwards.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
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
        alarm(1000);
        int first = take_one();
        unsigned left = alarm(2000);
        bad |= left < 900 || left > 1000;
        take_one();
        left = alarm(0);
        bad |= left < 1900;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
