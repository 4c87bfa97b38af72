/*
 * A barrier has no data and waits for all the same; so does making a communicator.
 *
 * check: -n 2 -- barrier: none
 * runs: -n 2 -- barrier: 1, merged 1
 * check: -n 2 -- dup: none
 * runs: -n 2 -- dup: 1, merged 1
 * check: -n 2 -- none: ready-send error READY
 * runs: -n 2 -- none: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0;
    MPI_Comm copy;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Irecv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    if (argv[1][0] == 'b')
        MPI_Barrier(MPI_COMM_WORLD);
    if (argv[1][0] == 'd') {
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Comm_free(&copy);
    }
    if (rank == 0)
        MPI_Rsend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* READY */
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
