/*
 * Persistent collectives of MPI_BOTTOM: what the addresses hold is read at each start, not when the request is made.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * mpi: mpich
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, a[3], b[3];
    MPI_Aint at[2];
    MPI_Datatype type;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_address(&a[1], &at[0]);
    MPI_Get_address(&b[1], &at[1]);
    MPI_Type_create_hindexed(2, (int[]){1, 1}, at, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Bcast_init(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int turn = 1; turn < 4; turn++) {
        a[0] = a[2] = b[0] = b[2] = -1;
        a[1] = rank ? 0 : turn;
        b[1] = rank ? 0 : 10 * turn;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (a[1] != turn || b[1] != 10 * turn || a[0] + a[2] + b[0] + b[2] != -4)
            abort();
    }
    MPI_Request_free(&request);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
