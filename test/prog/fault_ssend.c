/*
 * Two synchronous sends head to head.
 *
 * run: -n 2
 * compare: none
 * exit: 1
 * expect: deadlock
 * expect: rank 0 MPI_Ssend at HERE
 * expect: rank 1 MPI_Ssend at HERE
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v = 0;

    begin(&argc, &argv);
    MPI_Ssend(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD); /* HERE */
    MPI_Recv(&v, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
