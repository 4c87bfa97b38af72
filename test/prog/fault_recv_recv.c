/*
 * Two ranks that both receive before they send.
 *
 * run: -n 2
 * compare: none
 * exit: 1
 * expect: deadlock
 * expect: rank 0 MPI_Recv at FIRST
 * expect: rank 1 MPI_Recv at SECOND
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v = 0;

    begin(&argc, &argv);
    if (rank == 0)
        MPI_Recv(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FIRST */
    else
        MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* SECOND */
    MPI_Send(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    return finish();
}
