/*
 * A null buffer with a datatype that begins at its start cannot be MPI_BOTTOM, also if the datatype is the program's own:
 * an error of class MPI_ERR_BUFFER, and no crash.
 *
 * check: -n 2: invalid-argument error SEND
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- bcast: invalid-argument error BCAST
 * runs: -n 2 -- bcast: 1, merged 1
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Datatype pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (argc > 1)
        MPI_Bcast(NULL, 1, pair, 0, MPI_COMM_WORLD); /* BCAST */
    else
        MPI_Send(NULL, 1, pair, 1 - rank, 0, MPI_COMM_WORLD); /* SEND */
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
