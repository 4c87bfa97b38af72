/*
 * Every worker asks for a tag that the master does not use.
 *
 * run: -n 3
 * compare: none
 * exit: 1
 * expect: deadlock
 * expect: "a message from rank 0 has arrived, but its tag is 1, not 0"
 * expect: "a message from rank 0 has arrived, but its tag is 2, not 0"
 * expect: "likely culprits: ranks 0, 1 and 2, whose sends and receives do not agree on the tag"
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v = 0;

    begin(&argc, &argv);
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Send(&v, 1, MPI_INT, i, i, MPI_COMM_WORLD);
    if (rank != 0)
        MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
