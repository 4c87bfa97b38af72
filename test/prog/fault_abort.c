/*
 * A rank that calls abort().
 *
 * run: -n 2
 * compare: none
 * exit: 134
 * expect: rank 0 signal 6
 * expect: at HERE
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v;

    begin(&argc, &argv);
    if (rank == 0)
        abort(); /* HERE */
    MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
