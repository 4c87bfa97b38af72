/*
 * A counter that the kernel keeps: what was added before a receive is taken out afterwards, once.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <stddef.h>
#include <sys/eventfd.h>

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
        eventfd_t sum = 0;
        int counter = eventfd(0, EFD_NONBLOCK);
        eventfd_write(counter, 5);
        int first = take_one();
        bad |= eventfd_read(counter, &sum) != 0 || sum != 5;
        eventfd_write(counter, 7);
        take_one();
        bad |= eventfd_read(counter, &sum) != 0 || sum != 7;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
