/*
 * Send and receive buffers that share memory, and some that only seem to.
 *
 * check: -n 2 -- gather: invalid-argument error GATHER
 * check: -n 2 -- reduce: invalid-argument error REDUCE
 * check: -n 2 -- sendrecv: invalid-argument error SENDRECV
 * check: -n 2: none
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, v[9] = {0}, w[9] = {0};
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Datatype even;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allgather(strcmp(what, "gather") ? w : v + 2 * rank, 2, MPI_INT, v, 2, MPI_INT, MPI_COMM_WORLD); /* GATHER */
    MPI_Reduce(v, strcmp(what, "reduce") ? w : v, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* REDUCE */
    int *to = strcmp(what, "sendrecv") ? v + 2 : v + 1;
    MPI_Sendrecv(v, 2, MPI_INT, 1 - rank, 0, to, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &status); /* SENDRECV */

    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, v, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Sendrecv_replace(v, 2, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allgather(v, 0, MPI_INT, v, 0, MPI_INT, MPI_COMM_WORLD);
    MPI_Gather(v, 2, MPI_INT, rank == 0 ? v + 2 : v, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(v, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Exscan(v, rank == 0 ? v : w, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    /* Blocks of one array, in turn sent from and received into. */
    MPI_Alltoallv(v, (int[]){1, 1}, (int[]){0, 2}, MPI_INT, v, (int[]){1, 1}, (int[]){1, 3}, MPI_INT, MPI_COMM_WORLD);
    MPI_Type_vector(4, 1, 2, MPI_INT, &even);
    MPI_Type_commit(&even);
    MPI_Sendrecv(v, 1, even, 1 - rank, 0, v + 1, 1, even, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&even);
    MPI_Finalize();
    return 0;
}
