/*
 * A ring in which each rank hears from its two neighbours, in whichever order, some times over; a token then counts who
 * heard from the right one first.  If three of four did at first, rank 0 waits for one more message, which nobody sends.
 * There are 2^(n * rounds) runs, and those that go wrong are far from the first one, in which nearly everybody hears from the
 * left: one is found neither depth first nor near the first run, but soon by chance (test/cli.py).
 *
 * explore: -n 3 infinite -- 1: runs 8 clean 7 deadlock 1
 * explore: -n 3 infinite -- 2: runs 64 clean 56 deadlock 8
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, left, right, heard[16], count = 0, rounds = argc > 1 ? atoi(argv[1]) : 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    for (int round = 0; round < rounds; round++) {
        MPI_Request sent[2];

        MPI_Isend(&rank, 1, MPI_INT, left, round, MPI_COMM_WORLD, &sent[0]);
        MPI_Isend(&rank, 1, MPI_INT, right, round, MPI_COMM_WORLD, &sent[1]);
        for (int i = 0; i < 2; i++)
            MPI_Recv(&heard[2 * round + i], 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 2; i++)
            MPI_Wait(&sent[i], MPI_STATUS_IGNORE);
    }
    if (rank)
        MPI_Recv(&count, 1, MPI_INT, left, rounds, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    count += heard[0] == right;
    MPI_Send(&count, 1, MPI_INT, right, rounds, MPI_COMM_WORLD);
    if (!rank)
        MPI_Recv(&count, 1, MPI_INT, left, rounds, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!rank && count >= size - size / 4)
        MPI_Recv(&count, 1, MPI_INT, MPI_ANY_SOURCE, rounds + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
