/*
 * Rank 0 counts how often it has asked, up to 100, and then asks on without counting: it never gives up, and nothing of it is
 * left out.  With `warns` the one that has counted to the end tells rank 1, which does not listen.
 *
 * check: -n 2: none
 * runs: -n 2: merged 1
 * check: -n 2 -- warns: lost-message warning SENT
 * check: -n 2 -- warns: buffering-deadlock error SENT
 * runs: -n 2 -- warns: merged 2
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
    } else {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        while (!done) {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* ASKS */
            if (asked < 100)
                asked++;
        }
        if (argc == 2 && asked == 100)
            MPI_Send(&asked, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* SENT */
    }
    MPI_Finalize();
    return 0;
}
