/*
 * A rank polls for a message that never comes, the other waits for it.  That takes seconds, with whatever library.
 *
 * run: -n 2
 * mpi: mpich
 * compare: none
 * exit: 1
 * expect: rank 0 MPI_Iprobe at POLL
 * expect: rank 1 MPI_Recv at WAIT
 */
#include "check.h"

int main(int argc, char **argv)
{
    int there = 0, v = 0;

    begin(&argc, &argv);
    if (rank == 0) {
        while (!there)
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); /* POLL */
        MPI_Send(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAIT */
    }
    return finish();
}
