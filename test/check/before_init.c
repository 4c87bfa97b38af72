/*
 * A call before MPI_Init; some are allowed.
 *
 * check: -n 2 -- wrong: before-init error HERE
 * check: -n 2: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int flag, version, rank;
    MPI_Initialized(&flag);
    MPI_Finalized(&flag);
    MPI_Get_version(&version, &flag);
    if (argc > 1)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* HERE */
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
