/*
 * Rank 0 asks for a result, and after each five seconds in vain asks rank 1 whether it lives, three times at most.  Rank 1 answers
 * none of that: what it was asked is lost.  With `right` it is told how many questions there were, and takes them.
 *
 * check: -n 2 --buffering=infinite: lost-message warning SENT
 * runs: -n 2 --buffering=infinite: 7, merged 4
 * check: -n 2 --buffering=infinite -- right: none
 * runs: -n 2 --buffering=infinite -- right: 7, merged 4
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, done = 0, asked = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&asked, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (; asked > 0 && argc == 2; asked--)
            MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        while (!done && asked < 3) {
            double start = MPI_Wtime();

            while (!done && MPI_Wtime() < start + 5)
                MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* ASKS */
            if (!done) {
                MPI_Send(&asked, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* SENT */
                asked++;
            }
        }
        MPI_Send(&asked, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        if (!done)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
