/*
 * Rank 0 looks for one message and asks for another one, twice, in turn.  Tell what it gets: the one that it
 * asks for, after a while; or a third, and it polls for ever.
 *
 * explore: -n 2 infinite -- 1: runs 2 clean 2
 * explore: -n 2 any -- 1: runs 2 clean 2
 * explore: -n 2 any -- 3: runs 1 livelock 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value = 0, done = 0, seen = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        while (!done && !seen) {
            MPI_Iprobe(1, 2, MPI_COMM_WORLD, &seen, MPI_STATUS_IGNORE);
            for (int i = 0; i < 2 && !seen && !done; i++)
                MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        }
    } else {
        usleep(500000);
        MPI_Send(&value, 1, MPI_INT, 0, atoi(argv[1]), MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
