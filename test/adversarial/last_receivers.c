/*
 * Ranks 0 and 1 send to all others, which receive from any source and end.  Who was first makes no difference to what a
 * receiver does after its last call, so all orders are one.  With `code` a receiver ends with another exit code if rank 1 was
 * first: that is another end.  With `last` it forgets a request then.
 *
 * check: -n 6: none
 * runs: -n 6: 16, merged 1
 * check: -n 4 -- code: exit-code error -
 * runs: -n 4 -- code: 4, merged 4
 * check: -n 4 -- last: request-leak error FORGETS
 * runs: -n 4 -- last: 4, merged 4
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0, code = 0;
    MPI_Status status;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 2; i < size && rank < 2; i++)
        MPI_Send(&rank, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    if (rank >= 2) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (argc > 1 && strcmp(argv[1], "last") == 0 && status.MPI_SOURCE == 1)
            MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request); /* FORGETS */
        if (argc > 1 && strcmp(argv[1], "code") == 0)
            code = status.MPI_SOURCE;
    }
    MPI_Finalize();
    return code;
}
