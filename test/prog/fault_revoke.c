/*
 * Extensions for fault tolerance are not taken over: named, with rank and line.
 *
 * mpi: mpich
 * run: -n 2
 * compare: none
 * exit: 3
 * expect: rank 1 MPIX_Comm_revoke at HERE
 */
#include "check.h"
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (rank == 1)
        MPIX_Comm_revoke(MPI_COMM_WORLD); /* HERE */
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
