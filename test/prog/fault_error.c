/*
 * A wrong argument with the default error handler ends the program.
 *
 * run: -n 2
 * compare: none
 * exit: 1
 * expect: rank 1 MPI_Send at HERE
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v = 0;

    begin(&argc, &argv);
    if (rank == 1)
        MPI_Send(&v, 1, MPI_INT, 7, 0, MPI_COMM_WORLD); /* HERE */
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
