/*
 * Rank 0 polls in vain a thousand times before it sends what rank 1 waits for: it is not
 * stuck.  Tell how often it polls, and whether it sends then: if not, it is.
 *
 * explore: -n 2 infinite -- 1000 1: runs 1 clean 1
 * explore: -n 2 any -- 1000 1: runs 1 clean 1
 * explore: -n 2 any -- 100000 0: runs 1 livelock 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 0, token = 0, done = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; !done && (atoi(argv[2]) == 0 || i < atoi(argv[1])); i++)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
