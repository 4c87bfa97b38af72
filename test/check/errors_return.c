/*
 * A program that has asked for errors may pass nonsense on purpose: no more than a
 * warning, and it goes on.
 *
 * check: -n 1: invalid-argument warning HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int v = 0, error = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 3; i++)
        error += MPI_Send(&v, 1, MPI_INT, 10, 0, MPI_COMM_WORLD) != MPI_SUCCESS; /* HERE */
    MPI_Finalize();
    return error != 3;
}
