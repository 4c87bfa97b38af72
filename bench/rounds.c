/*
 * Rounds of tasks and results: rank 0 sends each worker a task and takes the results
 * from any source; with a barrier after each round, or (second argument) without.
 * usage: rounds ROUNDS [free]
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0, rounds = argc > 1 ? atoi(argv[1]) : 10;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < rounds; i++) {
        if (rank == 0) {
            for (int worker = 1; worker < size; worker++)
                MPI_Send(&value, 1, MPI_INT, worker, 0, MPI_COMM_WORLD);
            for (int worker = 1; worker < size; worker++)
                MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
        if (argc <= 2)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
