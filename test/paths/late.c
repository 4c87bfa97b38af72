/*
 * A server takes numbers until it is told to stop, and only then looks at the last one, or does not.  While it has not been told,
 * all rounds are the same to it, as far as is known: that has to be withdrawn if it looks.
 *
 * paths: -n 3: runs 1 stood 2 segments 15
 * paths: -n 5: runs 1 stood 24 segments 27
 * paths: -n 3 -- looks: runs 2 stood 2 finds deadlock
 * paths: -n 4 -- looks: runs 2 stood 6 finds deadlock
 */
#include <mpi.h>

enum { WORK = 1, STOP = 2 };

static int serve(void)
{
    int number, last = 0;
    MPI_Status status;
    for (;;) {
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP)
            return last;
        last = number;
    }
}

int main(int argc, char **argv)
{
    int rank, size, never;
    MPI_Comm workers;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &workers);
    if (rank == 0) {
        volatile int last = serve();
        if (argc > 1 && last != size - 1)
            MPI_Recv(&never, 1, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Ssend(&rank, 1, MPI_INT, 0, WORK, MPI_COMM_WORLD);
        MPI_Barrier(workers);
        if (rank == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, STOP, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&workers);
    MPI_Finalize();
    return 0;
}
