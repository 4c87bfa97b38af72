/*
 * Barriers on two communicators, in opposite order.
 *
 * run: -n 3
 * compare: none
 * exit: 1
 * expect: deadlock
 * expect: rank 0 MPI_Barrier at FIRST
 * expect: rank 2 MPI_Barrier at SECOND
 */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Comm other;

    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank < 2) {
        MPI_Barrier(MPI_COMM_WORLD); /* FIRST */
        MPI_Barrier(other);
    } else {
        MPI_Barrier(other); /* SECOND */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&other);
    return finish();
}
