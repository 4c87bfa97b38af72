/*
 * A rank that returns 3 after finalize: so does the launcher.
 *
 * run: -n 2
 * exit: 3
 * expect: rank 0 sum
 * expect: rank 1 sum
 */
#include "check.h"

int main(int argc, char **argv)
{
    int sum;

    begin(&argc, &argv);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("sum %d", sum);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return rank == 1 ? 3 : 0;
}
