/*
 * An assertion that fails on what was received.
 *
 * run: -n 2
 * compare: none
 * exit: 134
 * expect: Assertion "v == 42"
 * expect: rank 1 signal 6
 * expect: at HERE
 */
#include "check.h"

#include <assert.h>

int main(int argc, char **argv)
{
    int v = 41;

    begin(&argc, &argv);
    if (rank == 0) {
        MPI_Send(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(v == 42); /* HERE */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
