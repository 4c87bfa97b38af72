/*
 * Rank 0 hears of the others in any order and keeps who came: first in a local variable, second in a global one, third in a
 * block of malloc.  Then it waits in one call, in six states that differ in these alone.
 */
#include <mpi.h>
#include <stdlib.h>

static int second;

static void listen(int *kept)
{
    volatile int first = 0;
    int from = 0;

    for (int i = 0; i < 3; i++) {
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i == 0)
            first = from;
        if (i == 1)
            second = from;
        if (i == 2)
            kept[5] = from;
        from = 0;
    }
    MPI_Recv(kept, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    (void)first;
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int *kept = calloc(10, sizeof *kept); /* BLOCK */

        listen(kept);
        free(kept);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
