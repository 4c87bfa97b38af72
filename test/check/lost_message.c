/*
 * Messages that nobody receives: a standard send that was completed is a warning, a
 * synchronous or a pending one an error.  Ten from one line are one finding.
 *
 * check: -n 2 --buffering=infinite: lost-message warning SEND
 * check: -n 2 -- pending: lost-message error ISEND
 * check: -n 2 -- pending: request-leak error ISEND
 * check: -n 2 -- synchronous: lost-message error ISSEND
 * check: -n 2 -- synchronous: request-state note FREE
 * check: -n 2 -- none at all: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < 10 && argc == 1; i++)
        MPI_Send(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD); /* SEND */
    if (rank == 0 && argc == 2 && argv[1][0] == 'p')
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* ISEND */
    if (rank == 0 && argc == 2 && argv[1][0] == 's') {
        MPI_Issend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* ISSEND */
        MPI_Request_free(&request); /* FREE */
    }
    MPI_Finalize();
    return 0;
}
