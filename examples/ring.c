/*
 * ring -- every rank sends to the next one, then receives from the one before.
 * Works only as long as MPI buffers the messages.
 *
 *   mpicc -g ring.c -o ring
 *   tourney run -n 3 ./ring                      every message is buffered: fine
 *   tourney run -n 3 --buffering=zero ./ring     none is: deadlock
 *
 * How much an MPI library buffers differs between libraries, networks and
 * message sizes, so a program like this one works until the data grow.  To
 * repair it, use MPI_Sendrecv.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, mine, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    mine = rank;
    for (int step = 0; step < size; step++) {
        int theirs;
        sum += mine;
        MPI_Send(&mine, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
        MPI_Recv(&theirs, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        mine = theirs;
    }
    if (rank == 0)
        printf("the sum of all ranks is %d\n", sum);
    MPI_Finalize();
    return 0;
}
