/*
 * A call after MPI_Finalize; some are allowed.
 *
 * check: -n 2 -- wrong: after-finalize error HERE
 * check: -n 2: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int flag, version;
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Initialized(&flag);
    MPI_Finalized(&flag);
    MPI_Get_version(&version, &flag);
    if (argc > 1)
        MPI_Barrier(MPI_COMM_WORLD); /* HERE */
    return 0;
}
