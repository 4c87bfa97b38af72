/*
 * A field of four cells on two ranks; a step needs the neighbour's edge, which is put to a ghost cell. A fence begins
 * the puts of a step and another ends them.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * outcomes: -n 2: 1
 */
#include <mpi.h>

enum { CELLS = 2, STEPS = 2 };

static int rank, field[CELLS + 2], edge[STEPS];
static MPI_Win win;

/* A copy of the cell at the border goes to the ghost cell of the neighbour. */
static void put_edge(int step)
{
    int other = 1 - rank, ghost = rank == 0 ? 0 : CELLS + 1;

    edge[step] = field[rank == 0 ? CELLS : 1];
    MPI_Put(&edge[step], 1, MPI_INT, other, ghost, 1, MPI_INT, win);
}

static void update(void)
{
    int next[CELLS + 2];

    for (int i = 1; i <= CELLS; i++)
        next[i] = field[i - 1] + field[i + 1];
    for (int i = 1; i <= CELLS; i++)
        field[i] = next[i];
}

int main(int argc, char **argv)
{
    int bad;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    field[1] = field[2] = rank + 1;
    MPI_Win_create(field, sizeof field, sizeof *field, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int step = 0; step < STEPS; step++) {
        MPI_Win_fence(0, win);
        put_edge(step);
        MPI_Win_fence(0, win);
        update();
    }
    MPI_Win_free(&win);
    bad = field[1] != (rank == 0 ? 3 : 5) || field[2] != (rank == 0 ? 4 : 3);
    MPI_Finalize();
    return bad;
}
