/*
 * Rank 0 asks for a message 20, 100 or 1000 times and gives up: it waits for the message, and for another one,
 * which nobody sends.  With `right` it does not.
 *
 * check: -n 2 -- 20: deadlock error WAITS
 * check: -n 2 -- 20: portability note ASKS
 * runs: -n 2 -- 20: 3, merged 2
 * check: -n 2 -- 100: deadlock error WAITS
 * check: -n 2 -- 100: portability note ASKS
 * runs: -n 2 -- 100: 3, merged 2
 * check: -n 2 -- 1000: deadlock error WAITS
 * check: -n 2 -- 1000: portability note ASKS
 * runs: -n 2 -- 1000: 3, merged 2
 * check: -n 2 -- 1000 right: none
 * runs: -n 2 -- 1000 right: 3, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 0, done = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < atoi(argv[1]) && !done; i++)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* ASKS */
        if (!done) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            if (argc == 2)
                MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
        }
    }
    MPI_Finalize();
    return 0;
}
