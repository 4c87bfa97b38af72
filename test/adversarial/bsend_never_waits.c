/*
 * A buffered send never waits for anybody: if the attached buffer may be full, that is an error, and if not, it returns.
 * Rank 1 receives only what comes last, and then the rest.
 *
 * check: -n 2 -- full: insufficient-buffer error BSEND
 * runs: -n 2 -- full: 1, merged 1
 * check: -n 2 -- roomy: none
 * runs: -n 2 -- roomy: 1, merged 1
 * check: -n 2 --buffering=zero -- roomy: none
 * runs: -n 2 --buffering=zero -- roomy: 1, merged 1
 * check: -n 2 --buffering=zero -- full: insufficient-buffer error BSEND
 * runs: -n 2 --buffering=zero -- full: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

enum { MESSAGES = 4 };

int main(int argc, char **argv)
{
    int rank, value = 7, size = (argv[1][0] == 'f' ? 2 : MESSAGES) * (sizeof value + MPI_BSEND_OVERHEAD);
    char *buffer = malloc(size);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(buffer, size);
    for (int i = 0; i < MESSAGES; i++)
        if (rank == 0)
            MPI_Bsend(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD); /* BSEND */
        else
            MPI_Recv(&value, 1, MPI_INT, 0, MESSAGES - 1 - i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);
    MPI_Finalize();
    return 0;
}
