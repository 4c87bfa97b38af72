/*
 * A rank is a member of as many windows at a time as are watched for loads and stores, or of twice as many: a rank asks after all of them at once.
 *
 * check: -n 2 --buffering=infinite -- 32: none
 * check: -n 2 --buffering=infinite -- 70: none
 */
#include <stdlib.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Win win[70];
    int *memory, n = argc > 1 ? atoi(argv[1]) : 0;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < n; i++)
        MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win[i]);
    for (int i = 0; i < n; i++)
        MPI_Win_free(&win[i]);
    MPI_Finalize();
    return 0;
}
