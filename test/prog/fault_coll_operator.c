/*
 * Members of a reduction that combine with different operators: no library says so, and each gets another result.
 *
 * run: -n 2
 * exit: 1
 * compare: none
 * expect: ranks 0 and 1 combine with different operators in one collective
 * expect: combines with MPI_MAX
 * expect: combines with MPI_SUM
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, v = 1, w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Allreduce(&v, &w, 1, MPI_INT, rank ? MPI_SUM : MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
