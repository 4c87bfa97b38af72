/*
 * Two standard sends head to head: right with buffering, a deadlock without.
 *
 * run: -n 2
 * options: --buffering=zero
 * compare: none
 * exit: 1
 * expect: deadlock
 * expect: rank 0 MPI_Send at HERE
 * expect: rank 1 MPI_Send at HERE
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v = 0;

    begin(&argc, &argv);
    MPI_Send(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD); /* HERE */
    MPI_Recv(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
