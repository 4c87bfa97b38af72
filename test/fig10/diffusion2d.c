/*
 * Diffusion on a square of ranks that is closed to a torus: borders are exchanged with
 * MPI_Issend and MPI_Irecv, begun as early and completed as late as possible.  The second line
 * of Fig. 10 of [Palmer 2007], there with 16 ranks.
 *
 * usage: diffusion2d [STEPS]
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 4, CELLS = SIDE * SIDE, UP = 0, DOWN, LEFT, RIGHT, SIDES };

static double cell[CELLS], next[CELLS], out[SIDES][SIDE], in[SIDES][SIDE];

static void pack(void)
{
    for (int i = 0; i < SIDE; i++) {
        out[UP][i] = cell[i];
        out[DOWN][i] = cell[CELLS - SIDE + i];
        out[LEFT][i] = cell[i * SIDE];
        out[RIGHT][i] = cell[i * SIDE + SIDE - 1];
    }
}

static double at(int row, int column)
{
    if (row < 0)
        return in[UP][column];
    if (row == SIDE)
        return in[DOWN][column];
    if (column < 0)
        return in[LEFT][row];
    if (column == SIDE)
        return in[RIGHT][row];
    return cell[row * SIDE + column];
}

static void spread(void)
{
    for (int i = 0; i < CELLS; i++) {
        int row = i / SIDE, column = i % SIDE;

        next[i] = (at(row - 1, column) + at(row + 1, column) + at(row, column - 1) + at(row, column + 1)) / 4;
    }
    memcpy(cell, next, sizeof cell);
}

int main(int argc, char **argv)
{
    int rank, size, side = 1, steps = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Request request[2 * SIDES];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (side * side < size)
        side++;
    int row = rank / side, column = rank % side;
    int neighbour[SIDES] = {[UP] = (row + side - 1) % side * side + column,
                            [DOWN] = (row + 1) % side * side + column,
                            [LEFT] = row * side + (column + side - 1) % side,
                            [RIGHT] = row * side + (column + 1) % side};
    cell[0] = rank;
    for (int step = 0; step < steps; step++) {
        for (int s = 0; s < SIDES; s++) /* what comes from above was sent down */
            MPI_Irecv(in[s], SIDE, MPI_DOUBLE, neighbour[s], s ^ 1, MPI_COMM_WORLD, &request[s]);
        pack();
        for (int s = 0; s < SIDES; s++)
            MPI_Issend(out[s], SIDE, MPI_DOUBLE, neighbour[s], s, MPI_COMM_WORLD, &request[SIDES + s]);
        for (int s = 0; s < 2 * SIDES; s++)
            MPI_Wait(&request[s], MPI_STATUS_IGNORE);
        spread();
    }
    MPI_Finalize();
    return 0;
}
