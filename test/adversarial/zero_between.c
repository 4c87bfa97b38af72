/*
 * Between two groups: what this group takes of the other is empty, what it brings is not.  So rank 0 waits for nobody
 * and rank 1 for rank 0.
 *
 * check: -n 2 -- empty: ready-send error READY
 * runs: -n 2 -- empty: 1, merged 1
 * check: -n 2 -- full: none
 * runs: -n 2 -- full: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0, mine = 0, theirs[2], back;
    MPI_Comm self, between;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    back = argv[1][0] == 'f';
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &self);
    MPI_Intercomm_create(self, 0, MPI_COMM_WORLD, !rank, 0, &between);
    if (rank == 1)
        MPI_Irecv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Allgather(&mine, rank == 0 ? 1 : back, MPI_INT, theirs, rank == 0 ? back : 1, MPI_INT, between);
    if (rank == 0)
        MPI_Rsend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* READY */
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&between);
    MPI_Comm_free(&self);
    MPI_Finalize();
    return 0;
}
