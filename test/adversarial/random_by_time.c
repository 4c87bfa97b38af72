/*
 * Rank 0 throws a die that was made of the time of day, and hears from the others in the order that it says: by virtual clocks it
 * is the same die whenever the rank is run again, so nothing diverges.  With `wrong` it hears from one of them twice.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: deadlock error WAITS
 * runs: -n 3 -- wrong: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank, value = 0, first, from[2];

    srand((unsigned)time(NULL));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        first = 1 + (rand() >> 8) % 2;
        MPI_Recv(&value, 1, MPI_INT, first, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, argc == 1 ? 3 - first : first, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
        for (int i = 0; i < 2; i++)
            MPI_Recv(&from[i], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
