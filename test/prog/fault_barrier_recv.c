/*
 * One rank waits for a message in front of the barrier, the other would send
 * it behind.
 *
 * run: -n 2
 * compare: none
 * exit: 1
 * expect: deadlock
 * expect: rank 0 MPI_Recv at RECEIVE
 * expect: rank 1 MPI_Barrier at BARRIER
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v = 0;

    begin(&argc, &argv);
    if (rank == 0) {
        MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECEIVE */
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD); /* BARRIER */
        MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
