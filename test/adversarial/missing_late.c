/*
 * Rank 2 leaves a loop one round early, so the last scan lacks it.  Ranks 0 and 1 need nobody above them.
 *
 * check: -n 3: collective-missing error SCAN
 * runs: -n 3: 1, merged 1
 * check: -n 3 --buffering=infinite: collective-missing error SCAN
 * runs: -n 3 --buffering=infinite: 1, merged 1
 * check: -n 3 -- all: none
 * runs: -n 3 -- all: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < (rank == 2 && argc == 1 ? 3 : 4); i++)
        MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* SCAN */
    MPI_Finalize();
    return 0;
}
