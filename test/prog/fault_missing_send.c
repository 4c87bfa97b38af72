/*
 * A receive whose tag nobody sends.
 *
 * run: -n 3
 * compare: none
 * exit: 1
 * expect: deadlock
 * expect: rank 2 MPI_Recv at HERE
 * expect: "a message from rank 0 has arrived, but its tag is 5, not 6"
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v = 0;

    begin(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&v, 1, MPI_INT, 2, 5, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&v, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    return finish();
}
