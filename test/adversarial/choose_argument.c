/*
 * The same by an argument of the program, for which each number is put in.
 *
 * check: -n 2 --choose=k=0..3 -- {k}: deadlock error SUMS
 * runs: -n 2 --choose=k=0..3 -- {k}: 4, merged 4
 * check: -n 2 --choose=k=2..3 -- {k}: none
 * runs: -n 2 --choose=k=2..3 -- {k}: 2, merged 2
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, lines = argc > 1 ? atoi(argv[1]) : 2, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < lines)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* SUMS */
    MPI_Finalize();
    return 0;
}
