/*
 * What rank 0 receives differs between runs, though it never chooses itself: the
 * second run of its part has to begin anew and must be the same up to there.
 *
 * explore: -n 4 infinite: runs 2 clean 2
 * explore: -n 4 zero: runs 2 clean 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2] = {0};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Irecv(&value[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    } else if (rank == 1) {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&value[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 2; i++)
            MPI_Send(&value[i], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
