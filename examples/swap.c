/*
 * swap -- two ranks exchange a number, and both receive first.  Deadlocks,
 * always.
 *
 *   mpicc -g swap.c -o swap && tourney run -n 2 ./swap
 *
 * To repair it, let one rank send first, or use MPI_Sendrecv.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, mine, theirs;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2) {
        int other = 1 - rank;
        mine = 100 + rank;
        MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
        printf("rank %d has %d\n", rank, theirs);
    }
    MPI_Finalize();
    return 0;
}
