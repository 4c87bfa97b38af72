/*
 * A handler of the program's own is called once for a message that is too long, with the communicator and the class, and
 * the call returns the error.
 *
 * check: -n 2: truncation warning HERE
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- fits: none
 * runs: -n 2 -- fits: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

static int calls;

static void handle(MPI_Comm *comm, int *code, ...)
{
    int class;
    MPI_Error_class(*code, &class);
    if (*comm != MPI_COMM_WORLD || class != MPI_ERR_TRUNCATE)
        abort();
    calls++;
}

int main(int argc, char **argv)
{
    int rank, v[2] = {1, 2}, code;
    MPI_Errhandler handler;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    if (rank == 0) {
        MPI_Send(v, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        code = MPI_Recv(v, argc > 1 ? 2 : 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        if ((code != MPI_SUCCESS) != (argc == 1) || calls != (argc == 1))
            abort();
    }
    MPI_Finalize();
    return 0;
}
