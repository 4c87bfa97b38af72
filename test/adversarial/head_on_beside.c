/*
 * Two ranks send to each other before they receive, which needs MPI to buffer.  Where a third one is by then depends on whose message it took first: that is one
 * finding, since the same calls are to blame.  With `twice`, they do so at another place as well, which is another.
 *
 * check: -n 3: buffering-deadlock error HEAD_ON
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- twice: buffering-deadlock error HEAD_ON
 * check: -n 3 -- twice: buffering-deadlock error ONCE_MORE
 * runs: -n 3 -- twice: 2, merged 1
 */
#include <mpi.h>

static int value, word;

static void receive_of(int source)
{
    MPI_Recv(&value, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_to(int dest)
{
    MPI_Send(&value, 1, MPI_INT, dest, 0, MPI_COMM_WORLD);
}

static void take_both(void)
{
    MPI_Status status;
    MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    if (status.MPI_SOURCE == 0)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    receive_of(1 - status.MPI_SOURCE);
}

static void swap(int other, int twice)
{
    MPI_Request announced;
    MPI_Isend(&word, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &announced);
    MPI_Send(&value, 1, MPI_INT, other, 0, MPI_COMM_WORLD); /* HEAD_ON */
    receive_of(other);
    if (twice) {
        MPI_Send(&value, 1, MPI_INT, other, 0, MPI_COMM_WORLD); /* ONCE_MORE */
        receive_of(other);
    }
    send_to(2);
    MPI_Wait(&announced, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        take_both();
    else
        swap(1 - rank, argc > 1);
    MPI_Finalize();
    return 0;
}
