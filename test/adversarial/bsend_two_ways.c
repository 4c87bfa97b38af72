/*
 * Room for two messages.  One to rank 1 lies there for long, since rank 1 receives it last; in the rest of the buffer there
 * is room for one to rank 2 again and again, as long as rank 2 answers each time.  What a receiver has got does not help if
 * it does not say so.
 *
 * check: -n 3 -- answers: none
 * runs: -n 3 -- answers: 1, merged 1
 * check: -n 3 -- silent: insufficient-buffer error TO_TWO
 * runs: -n 3 -- silent: 1, merged 1
 * check: -n 3 -- through: none
 * runs: -n 3 -- through: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

enum { ROUNDS = 4, TO = 0, BACK = 1 };

static int value = 7;
static char how;

static void answer(int rank)
{
    if (how == 'a' && rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 2, BACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (how == 'a' && rank == 2)
        MPI_Send(&value, 1, MPI_INT, 0, BACK, MPI_COMM_WORLD);
    /* What rank 2 has received rank 0 hears by way of rank 1. */
    if (how == 't' && rank == 2)
        MPI_Send(&value, 1, MPI_INT, 1, BACK, MPI_COMM_WORLD);
    if (how == 't' && rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 2, BACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, BACK, MPI_COMM_WORLD);
    }
    if (how == 't' && rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, BACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size = 2 * (sizeof value + MPI_BSEND_OVERHEAD);
    char *buffer = malloc(size);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    how = argv[1][0];
    if (rank == 0) {
        MPI_Buffer_attach(buffer, size);
        MPI_Bsend(&value, 1, MPI_INT, 1, TO, MPI_COMM_WORLD);
    }
    for (int i = 0; i < ROUNDS; i++) {
        if (rank == 0)
            MPI_Bsend(&value, 1, MPI_INT, 2, TO, MPI_COMM_WORLD); /* TO_TWO */
        if (rank == 2)
            MPI_Recv(&value, 1, MPI_INT, 0, TO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        answer(rank);
    }
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, TO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Buffer_detach(&buffer, &size);
    free(buffer);
    MPI_Finalize();
    return 0;
}
