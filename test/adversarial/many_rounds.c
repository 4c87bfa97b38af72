/*
 * Rounds in which rank 0 and rank 3 each hear from two others, in either order, and forget who was first.  Hundreds of
 * histories are looked at on the way down, each once; on the way up every one turns out to be known.
 *
 * check: -n 6 -- 80: none
 * runs: -n 6 -- 80: merged 1
 * segments: -n 6 -- 80: 1126
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int rounds = atoi(argv[1]); rounds > 0; rounds--) {
        value = rank;
        if (rank % 3)
            MPI_Send(&value, 1, MPI_INT, rank / 3 * 3, 0, MPI_COMM_WORLD);
        for (int i = 0; i < 2 && rank % 3 == 0; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = 0;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
