/*
 * The communication of diffusion on a grid of two rows: first all send their two lines
 * to rank 0, which takes them from any source with any tag, then everybody sends to a
 * neighbour before receiving from the opposite one.
 *
 * Lines of one sender come in order, so s senders give (2s)! / 2^s orders: 1, 6, 90.
 * What follows has no choice; without buffering it is a deadlock in each of them.  Two
 * ranks can be stuck together in the first or second exchange, or each by itself in
 * either of the last two, where it is its own neighbour: 2 + 4 causes.
 *
 * explore: -n 2 infinite: runs 1 clean 1
 * explore: -n 2 zero: runs 1 deadlock 1
 * explore: -n 4 infinite: runs 90 clean 90
 * explore: -n 4 zero: runs 90 deadlock 90
 * explore: -n 2 any: runs 1 clean 1 cuts 6
 */
#include <mpi.h>

enum { LINES = 2, ROWS = 2, HALO = LINES };

static void shift(int to, int from)
{
    int value = 0;
    MPI_Send(&value, 1, MPI_INT, to, HALO, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, from, HALO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int line = 0; line < LINES * (rank > 0 ? 1 : size - 1); line++) {
        if (rank > 0)
            MPI_Send(&value, 1, MPI_INT, 0, line, MPI_COMM_WORLD);
        else
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int columns = size / ROWS, row = rank / columns, column = rank % columns;
    int vertical = (1 - row) * columns + column; /* up and down is the same */
    int left = row * columns + (column + columns - 1) % columns, right = row * columns + (column + 1) % columns;
    shift(vertical, vertical);
    shift(vertical, vertical);
    shift(left, right);
    shift(right, left);
    MPI_Finalize();
    return 0;
}
