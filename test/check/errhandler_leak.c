/*
 * An error handler that is not freed.  It may be freed while it is in use, and what
 * MPI_Comm_get_errhandler gives of the library's own is nobody's to free.
 *
 * check: -n 1 -- wrong: errhandler-leak warning HERE
 * check: -n 1: none
 */
#include <mpi.h>

static void ignore(MPI_Comm *comm, int *error, ...)
{
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler, old;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &old);
    MPI_Comm_create_errhandler(ignore, &handler); /* HERE */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    if (argc == 1)
        MPI_Errhandler_free(&handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, old);
    MPI_Finalize();
    return 0;
}
