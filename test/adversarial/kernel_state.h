/*
 * Rank 0 hears of two ranks in any order, and if rank 2 comes first, and nothing forbids it, it changes something
 * that is not in its memory.  Then it forgets who came, and waits once more: its memory is the same in
 * both orders.  What check() finds is not.
 */
#include <mpi.h>

static void prepare(void); /* before the first message */
static void change(void);
static void check(void);   /* divides by zero if change() was called */

/* What the last calls left on the stack would be in the frames of the next ones. */
static void wipe_stack(void)
{
    volatile char room[1 << 15];
    for (unsigned i = 0; i < sizeof room; i++)
        room[i] = 0;
}

int main(int argc, char **argv)
{
    static int rank, got;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        prepare();
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (i == 0 && got == 2 && argc == 1)
                change();
            got = 0;
            wipe_stack();
        }
        MPI_Recv(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check();
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
