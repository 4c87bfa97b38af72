/*
 * What goes wrong in some runs only, and there on one rank.
 *
 * check: -n 3: comm-leak warning LEAK
 * check: -n 3: invalid-argument error ROOT
 * check: -n 2: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n, v[3] = {0}, first = 0;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < n; i++) {
        MPI_Recv(v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i == 1)
            first = v[0];
    }
    if (rank == 0 && first == 2)
        MPI_Bcast(v, 1, MPI_INT, 1, MPI_COMM_SELF); /* ROOT */
    MPI_Comm_dup(MPI_COMM_SELF, &comm); /* LEAK */
    if (rank > 0 || n == 2)
        MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
