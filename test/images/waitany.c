/*
 * Requests that are over, in any order: 2^n sets, without the end of the last.  Which one was over last is where the next
 * call will put its own answer, and of no account.
 *
 * images: -n 5: 15
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, which, value[8];
    MPI_Request request[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 1; i < size; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &request[i - 1]);
        for (int i = 1; i < size; i++)
            MPI_Waitany(size - 1, request, &which, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
