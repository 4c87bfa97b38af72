/*
 * A message longer than its receive, with the default error handler.
 *
 * run: -n 2
 * compare: none
 * exit: 1
 * expect: rank 1 MPI_Recv at HERE
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v[4] = {0};

    begin(&argc, &argv);
    if (rank == 0)
        MPI_Send(v, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(v, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    return finish();
}
