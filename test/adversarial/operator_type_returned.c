/*
 * The program has asked for error codes and tries an operator on a type that is not for it.  Where the library
 * refuses, that is a warning.  It is on both of them for these two.
 *
 * check: -n 2: operator-type warning CALL
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    double in = 1, out;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rc = MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, argc > 1 ? MPI_MIN : MPI_BAND, MPI_COMM_WORLD); /* CALL */
    int expected = (rc == MPI_SUCCESS) == (argc > 1);
    MPI_Finalize();
    return !expected;
}
