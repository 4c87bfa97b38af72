/*
 * Rank 0 waits for a word from anybody and then makes a ready send to rank 1.  If that word is from rank 1, which has posted
 * its receive before, all is well; if it is from rank 2, which knows of nothing, there may be no receive yet.  The words are
 * the same and rank 0 forgets who said them, so nothing in its memory tells which came first.
 *
 * check: -n 3 -- anybody: ready-send error SEND
 * runs: -n 3 -- anybody: 2, merged 2
 * check: -n 3 -- both: none
 * runs: -n 3 -- both: 2, merged 2
 * check: -n 3 -- named: none
 * runs: -n 3 -- named: 1, merged 1
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

int main(int argc, char **argv)
{
    char how = argv[1][0];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        take_word(how == 'n' ? 1 : MPI_ANY_SOURCE);
        if (how == 'b')
            take_word(MPI_ANY_SOURCE);
        MPI_Rsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* SEND */
        if (how != 'b')
            take_word(MPI_ANY_SOURCE);
        MPI_Recv(&word, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 1)
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    if (rank > 0)
        MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 2)
        MPI_Send(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
