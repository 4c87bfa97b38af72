/*
 * Rank 0 sends to rank 1 from a buffer with room for one message, waits for a word from anybody, and sends again.  If that
 * word is from rank 1, which has received, there is room; if it is from rank 2, which knows of nothing, there may be none.
 * The words are the same, so nothing in the memory of rank 0 tells which it was.
 *
 * check: -n 3 -- anybody: insufficient-buffer error SECOND
 * runs: -n 3 -- anybody: 2, merged 2
 * check: -n 3 -- both: none
 * runs: -n 3 -- both: 2, merged 2
 * check: -n 3 -- named: none
 * runs: -n 3 -- named: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 7, size = sizeof value + MPI_BSEND_OVERHEAD;
    char *buffer = malloc(size), how = argv[1][0];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Buffer_attach(buffer, size);
        MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, how == 'n' ? 1 : MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (how == 'b')
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* SECOND */
        if (how != 'b')
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Buffer_detach(&buffer, &size);
    }
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 0)
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(buffer);
    MPI_Finalize();
    return 0;
}
