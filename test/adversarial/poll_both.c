/*
 * Both ranks ask 25 times for the word of the other one, and send theirs when they give up or have it.  One of them has to
 * give up first: no livelock.  With `wait` they send theirs only if they have that of the other one: nobody ever does, and both end without.
 *
 * check: -n 2: none
 * runs: -n 2: 5, merged 3
 * check: -n 2 -- wait: none
 * runs: -n 2 -- wait: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, done = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 25 && !done; i++)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (argc == 1 || done)
        MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    if (!done && argc == 2) {
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (!done) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
