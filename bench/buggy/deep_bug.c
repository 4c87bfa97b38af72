/* Rounds of two messages each; only if the second sender is first in the first three rounds and not in the fourth does the receiver go astray. */
#include <mpi.h>

int main(int argc, char **argv)
{
    enum { ROUNDS = 4 };
    int rank, size, who, pattern = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < ROUNDS; round++) {
        if (rank % 4 == 0 && rank + 2 < size)
            for (int i = 0; i < 2; i++) {
                MPI_Recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                if (i == 0)
                    pattern = pattern << 1 | (who == rank + 2);
            }
        else if (rank % 4 == 1 || rank % 4 == 2)
            MPI_Send(&rank, 1, MPI_INT, rank - rank % 4, round, MPI_COMM_WORLD);
    }
    if (rank == 0 && pattern == 14)
        MPI_Recv(&who, 1, MPI_INT, 1, ROUNDS, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* nobody sends it */
    MPI_Finalize();
    return 0;
}
