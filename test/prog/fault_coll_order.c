/*
 * Two ranks call different collectives at the same time.
 *
 * run: -n 2
 * compare: none
 * exit: 1
 * expect: collective
 * expect: rank 0 MPI_Bcast at BCAST
 * expect: rank 1 MPI_Reduce at REDUCE
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v = 0, w = 0;

    begin(&argc, &argv);
    if (rank == 0) {
        MPI_Bcast(&v, 1, MPI_INT, 1, MPI_COMM_WORLD); /* BCAST */
        MPI_Reduce(&v, &w, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    } else {
        MPI_Reduce(&v, &w, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD); /* REDUCE */
        MPI_Bcast(&v, 1, MPI_INT, 1, MPI_COMM_WORLD);
    }
    return finish();
}
