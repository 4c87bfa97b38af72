/*
 * Neighbourhood collectives on a cartesian grid: the borders of a non-periodic
 * dimension have no neighbour and leave their part of the buffer alone; the
 * periodic dimension of extent 2 has the same neighbour on both sides.
 *
 * run: -n 4
 */
#include "check.h"

enum { SIDES = 4 };

static MPI_Comm grid;

static void allgather(void)
{
    int in[2 * SIDES], mine[2] = {rank, 10 * rank};
    MPI_Request request;

    memset(in, -1, sizeof in);
    MPI_Neighbor_allgather(mine, 2, MPI_INT, in, 2, MPI_INT, grid);
    say_ints("allgather", in, 2 * SIDES);

    memset(in, -1, sizeof in);
    MPI_Ineighbor_allgather(mine, 1, MPI_INT, in, 1, MPI_INT, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_ints("iallgather", in, SIDES);
}

static void allgatherv(void)
{
    int in[2 * SIDES], counts[SIDES] = {1, 1, 1, 1}, places[SIDES] = {6, 4, 2, 0};
    MPI_Request request;

    memset(in, -1, sizeof in);
    MPI_Neighbor_allgatherv(&rank, 1, MPI_INT, in, counts, places, MPI_INT, grid);
    say_ints("allgatherv", in, 2 * SIDES);

    memset(in, -1, sizeof in);
    MPI_Ineighbor_allgatherv(&rank, 1, MPI_INT, in, counts, places, MPI_INT, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_ints("iallgatherv", in, 2 * SIDES);
}

static void alltoall(void)
{
    int out[SIDES], in[SIDES];
    MPI_Request request;

    for (int i = 0; i < SIDES; i++)
        out[i] = 10 * rank + i;
    memset(in, -1, sizeof in);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid);
    say_ints("alltoall", in, SIDES);

    memset(in, -1, sizeof in);
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    /* Same neighbour twice: which message is left, which right, Open MPI swaps here. */
    say("ialltoall %d %d and together %d", in[0], in[1], in[2] + in[3]);
}

int main(int argc, char **argv)
{
    int dims[2] = {2, 2}, periods[2] = {0, 1};

    begin(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    allgather();
    allgatherv();
    alltoall();
    MPI_Comm_free(&grid);
    return finish();
}
