/*
 * MPI_Waitsome over two receives returns the first, the second or both, and then the
 * rest: three runs.
 *
 * explore: -n 3 infinite: runs 3 clean 3
 * explore: -n 3 zero: runs 3 clean 3
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2], some[2], done = 0, count;
    MPI_Request request[2];
    MPI_Status status[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &request[i]);
        for (; done < 2; done += count)
            MPI_Waitsome(2, request, &count, some, status);
    }
    MPI_Finalize();
    return 0;
}
