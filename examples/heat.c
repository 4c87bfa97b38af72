/*
 * heat -- a rod that cools, cut into pieces, one per rank.  Before every step
 * neighbours exchange the cells at their borders.  The tags are mixed up:
 * deadlocks.
 *
 *   mpicc -g heat.c -o heat && tourney run -n 4 ./heat
 *
 * What comes from the left was sent TO_RIGHT.  Swap the tags of the two receives
 * to repair it, or compile with -DREPAIRED.
 */
#include <mpi.h>
#include <stdio.h>

enum { CELLS = 100, STEPS = 50, TO_LEFT = 1, TO_RIGHT = 2 };

#ifdef REPAIRED
enum { FROM_LEFT = TO_RIGHT, FROM_RIGHT = TO_LEFT };
#else
enum { FROM_LEFT = TO_LEFT, FROM_RIGHT = TO_RIGHT };
#endif

/* Cells 0 and CELLS+1 are copies of the neighbours' outermost ones. */
static void exchange(double *u, int left, int right)
{
    MPI_Request sent[2];
    MPI_Isend(&u[1], 1, MPI_DOUBLE, left, TO_LEFT, MPI_COMM_WORLD, &sent[0]);
    MPI_Isend(&u[CELLS], 1, MPI_DOUBLE, right, TO_RIGHT, MPI_COMM_WORLD, &sent[1]);
    MPI_Recv(&u[0], 1, MPI_DOUBLE, left, FROM_LEFT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&u[CELLS + 1], 1, MPI_DOUBLE, right, FROM_RIGHT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&sent[0], MPI_STATUS_IGNORE);
    MPI_Wait(&sent[1], MPI_STATUS_IGNORE);
}

static void step(const double *u, double *next)
{
    for (int i = 1; i <= CELLS; i++)
        next[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

int main(int argc, char **argv)
{
    int rank, size;
    double rod[2][CELLS + 2] = {{0}}, heat = 0, total;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int i = 1; i <= CELLS; i++)
        rod[0][i] = 1;
    for (int t = 0; t < STEPS; t++) {
        exchange(rod[t % 2], left, right);
        step(rod[t % 2], rod[(t + 1) % 2]);
    }
    for (int i = 1; i <= CELLS; i++)
        heat += rod[STEPS % 2][i];
    MPI_Reduce(&heat, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.3f of the heat is left\n", total / (size * CELLS));
    MPI_Finalize();
    return 0;
}
