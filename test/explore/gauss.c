/*
 * The communication of Gauss elimination: each row's owner, in turn, sends it to all
 * others, who receive it from any source (Floyd's shortest paths do the same).
 *
 * Without buffering an owner has served everybody before the next one can: one run.
 * With buffering, three ranks and rows 0 and 1, rank 2 may hear of rank 1 before rank
 * 0.  With row 2 as well rank 0, too, may hear of rank 2 before rank 1, independently
 * of that; rank 1 has no choice, for rank 2 sends only after it has heard of rank 1.
 *
 * explore: -n 3 zero -- 2: runs 1 clean 1
 * explore: -n 3 infinite -- 2: runs 2 clean 2
 * explore: -n 3 zero -- 3: runs 1 clean 1
 * explore: -n 3 infinite -- 3: runs 4 clean 4
 * explore: -n 3 any -- 2: runs 2 clean 2
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, row, rows = atoi(argv[1]);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Bcast(&rows, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int pivot = 0; pivot < rows; pivot++) {
        if (rank != pivot % size)
            MPI_Recv(&row, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            for (int to = 0; to < size; to++)
                if (to != rank)
                    MPI_Send(&pivot, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
