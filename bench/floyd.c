/*
 * The communication of Floyd's shortest paths: the owner of each row, in blocks over
 * the ranks, sends it to all others, who take rows from any source.
 * usage: floyd ROWS
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, row, rows = argc > 1 ? atoi(argv[1]) : 8;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < rows; k++) {
        if (rank != k * size / rows)
            MPI_Recv(&row, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            for (int to = 0; to < size; to++)
                if (to != rank)
                    MPI_Send(&k, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
