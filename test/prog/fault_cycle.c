/*
 * Ranks 1, 2 and 3 wait for each other in a circle; rank 0 is done.
 *
 * run: -n 4
 * compare: none
 * exit: 1
 * expect: deadlock
 * expect: rank 1 MPI_Wait
 * expect: rank 2 MPI_Wait
 * expect: rank 3 MPI_Wait
 * expect: MPI_Irecv at HERE
 * expect: rank 0 MPI_Finalize
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v = 0;
    MPI_Request request;

    begin(&argc, &argv);
    if (rank > 0) {
        int next = rank % 3 + 1, previous = (rank + 1) % 3 + 1;
        MPI_Irecv(&v, 1, MPI_INT, previous, 7, MPI_COMM_WORLD, &request); /* HERE */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&v, 1, MPI_INT, next, 7, MPI_COMM_WORLD);
    }
    return finish();
}
