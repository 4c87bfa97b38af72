/*
 * Nobody waits, but one rank never calls MPI_Finalize.
 *
 * run: -n 2
 * compare: none
 * exit: 1
 * expect: rank 1 "without MPI_Finalize"
 */
#include "check.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    return rank == 1 ? 0 : finish();
}
