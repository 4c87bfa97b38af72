/* Of many requests the one that is complete first is taken; if it is the last, the others are forgotten. */
#include <mpi.h>

int main(int argc, char **argv)
{
    enum { MOST = 64 };
    int rank, size, value[MOST], index;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        MPI_Request request[MOST];
        for (int r = 1; r < size; r++)
            MPI_Irecv(&value[r], 1, MPI_INT, r, 0, MPI_COMM_WORLD, &request[r - 1]);
        MPI_Waitany(size - 1, request, &index, MPI_STATUS_IGNORE);
        if (index == size - 2)
            MPI_Recv(&value[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* nobody sends it */
        MPI_Waitall(size - 1, request, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
