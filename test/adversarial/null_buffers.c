/*
 * Null buffers that nothing is read from or written to: counts of zero, datatypes of no bytes, MPI_PROC_NULL; also where
 * only the root's buffer counts.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, all[2] = {-1, -1}, zero[2] = {0, 0}, none[2] = {0, 0}, n;
    MPI_Datatype empty;
    MPI_Request request[2];
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    MPI_Sendrecv(NULL, 0, MPI_INT, 1 - rank, 0, NULL, 0, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    if (n != 0)
        abort();
    MPI_Isend(NULL, 0, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(NULL, 0, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Send_init(NULL, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Start(&request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&request[0]);
    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Gatherv(&rank, 1, MPI_INT, rank ? NULL : all, rank ? NULL : (int[]){1, 1}, rank ? NULL : (int[]){0, 1}, MPI_INT, 0,
                MPI_COMM_WORLD);
    MPI_Alltoallv(NULL, zero, zero, MPI_INT, NULL, none, none, MPI_INT, MPI_COMM_WORLD);
    if (rank == 0 && (all[0] != 0 || all[1] != 1))
        abort();
    MPI_Type_free(&empty);
    MPI_Finalize();
    return 0;
}
