/*
 * Who makes the ready send has no choice: rank 1 is told to by rank 0, which was told by anybody.  Rank 2 has posted the
 * receive when it speaks, rank 3 knows of nothing, and what they say is the same.
 *
 * check: -n 4 -- anybody: ready-send error SEND
 * runs: -n 4 -- anybody: 2, merged 2
 * check: -n 4 -- both: none
 * runs: -n 4 -- both: 2, merged 2
 */
#include <mpi.h>

static int rank, value, word;

/* What the last calls left on the stack would be in the frames of the next ones. */
static void wipe_stack(void)
{
    volatile char room[1 << 15];
    for (unsigned i = 0; i < sizeof room; i++)
        room[i] = 0;
}

static void take_word(int from)
{
    MPI_Recv(&word, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    wipe_stack();
}

static void tell(int to)
{
    MPI_Send(&word, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int both = argv[1][0] == 'b';
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        take_word(MPI_ANY_SOURCE);
        if (both)
            take_word(MPI_ANY_SOURCE);
        tell(1);
        if (!both)
            take_word(MPI_ANY_SOURCE);
        MPI_Recv(&word, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        take_word(0);
        MPI_Rsend(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD); /* SEND */
        MPI_Send(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    } else {
        if (rank == 2)
            MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        tell(0);
        if (rank == 2)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
