/*
 * How many lines the input has is chosen: with fewer lines than ranks, a rank has an empty part and skips a collective.
 *
 * check: -n 3: deadlock error SUMS
 * runs: -n 3: 6, merged 4
 * check: -n 3 --choose=lines=3..5: none
 * runs: -n 3 --choose=lines=3..5: 3, merged 1
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 6, merged 1
 */
#include <mpi.h>
#include <stdio.h>

#include "../../include/tourney.h"

int main(int argc, char **argv)
{
    int rank, size, lines = 0, mine, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        lines = tourney_choose(6, "lines");
    MPI_Bcast(&lines, 1, MPI_INT, 0, MPI_COMM_WORLD);
    mine = lines / size + (rank < lines % size);
    if (mine > 0 || argc > 1)
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* SUMS */
    MPI_Finalize();
    return 0;
}
