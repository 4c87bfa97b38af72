/*
 * Works as long as the results come in the usual order.
 *
 * Rank 0 takes one result from each worker, from whoever is first, and then reads
 * the report of "the last one".  It means the worker with the highest rank; what
 * it asks for is whoever came last.  If that is another one, it waits for ever.
 *
 *     tourney run -n 3 luck     one run, and all is well
 *     tourney -n 3 luck         all runs, and the one that hangs
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    double result, report;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(&report, 1, MPI_DOUBLE, status.MPI_SOURCE, 2, MPI_COMM_WORLD, &status);
        printf("report of rank %d: %g\n", status.MPI_SOURCE, report);
    } else {
        result = rank;
        MPI_Send(&result, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
        if (rank == size - 1)
            MPI_Send(&result, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
