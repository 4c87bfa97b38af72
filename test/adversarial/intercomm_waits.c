/*
 * An intercommunicator is made by all members of both groups: rank 0, of the one group, does not return before rank 2, of the
 * other and not its leader, has called it, and so has its receive posted.  Without that the ready send may be too early.
 *
 * check: -n 3: none
 * runs: -n 3: 1, merged 1
 * check: -n 3 -- after: ready-send error READY
 * runs: -n 3 -- after: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0;
    MPI_Comm side, between;
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &side);
    if (rank == 2 && argc == 1)
        MPI_Irecv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank == 0, 0, &between);
    if (rank == 2 && argc > 1)
        MPI_Irecv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    if (rank == 0)
        MPI_Rsend(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD); /* READY */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&between);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
