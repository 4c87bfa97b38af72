/*
 * Most ranks are in a collective; one is not, and waits for one of them.
 *
 * run: -n 4
 * compare: none
 * exit: 1
 * expect: deadlock: "4 of 4 ranks"
 * expect: "likely culprit: rank 2, which is missing in MPI_Allreduce, where 3 others wait"
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v = 0, sum;

    begin(&argc, &argv);
    if (rank == 2)
        MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&v, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    return finish();
}
