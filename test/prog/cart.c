/*
 * Cartesian topologies: coordinates, ranks, shifts, sub-grids, queries, a grid
 * smaller than the communicator, Dims_create.
 *
 * run: -n 4
 */
#include "check.h"

static void grid_of_two(void)
{
    int dims[2] = {2, 2}, periods[2] = {0, 1}, coords[2], back[2][2], n, me, from, to, got;
    int kind;
    MPI_Comm grid, row;

    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Topo_test(grid, &kind);
    MPI_Cartdim_get(grid, &n);
    CHECK(kind == MPI_CART && n == 2);
    MPI_Cart_get(grid, 2, back[0], back[1], coords);
    say("dims %d %d periods %d %d at %d %d", back[0][0], back[0][1], back[1][0], back[1][1],
        coords[0], coords[1]);
    MPI_Cart_coords(grid, size - 1 - rank, 2, coords);
    say_ints("opposite", coords, 2);
    MPI_Cart_rank(grid, coords, &me);
    CHECK(me == size - 1 - rank);
    /* Coordinates outside a periodic dimension are folded back. */
    coords[0] = 1, coords[1] = -3;
    MPI_Cart_rank(grid, coords, &me);
    say("folded %d", me);
    CHECK(me == 3);

    for (int direction = 0; direction < 2; direction++)
        for (int step = -1; step <= 2; step++) {
            MPI_Cart_shift(grid, direction, step, &from, &to);
            say("shift %d by %d: from %d to %d", direction, step, from == MPI_PROC_NULL ? -1 : from,
                to == MPI_PROC_NULL ? -1 : to);
        }
    got = -1;
    MPI_Cart_shift(grid, 0, 1, &from, &to);
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, grid, MPI_STATUS_IGNORE);
    say("shifted down: %d", got);

    MPI_Cart_sub(grid, (int[]){0, 1}, &row);
    MPI_Comm_rank(row, &me);
    MPI_Cart_get(row, 1, back[0], back[1], coords);
    MPI_Allreduce(&rank, &got, 1, MPI_INT, MPI_SUM, row);
    say("row: rank %d dim %d period %d at %d sum %d", me, back[0][0], back[1][0], coords[0], got);
    MPI_Comm_free(&row);
    MPI_Comm_dup(grid, &row); /* a copy keeps the topology */
    MPI_Topo_test(row, &kind);
    CHECK(kind == MPI_CART);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
}

static void smaller(void)
{
    int three = 3, periodic = 1, from, to, kind;
    MPI_Comm ring;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &three, &periodic, 0, &ring);
    if (ring == MPI_COMM_NULL) {
        say("not in the ring");
        CHECK(rank == 3);
        return;
    }
    MPI_Cart_shift(ring, 0, 1, &from, &to);
    say("ring of three: from %d to %d", from, to);
    MPI_Comm_free(&ring);
    MPI_Topo_test(MPI_COMM_WORLD, &kind);
    CHECK(kind == MPI_UNDEFINED);
}

static void dimensions(void)
{
    int dims[4][3] = {{0, 0, 0}, {0, 3, 0}, {0, 1, 5}, {2, 3, 4}}, nodes[4] = {24, 24, 10, 24};

    for (int i = 0; i < 4; i++) {
        MPI_Dims_create(nodes[i], 3, dims[i]);
        say_ints("dims", dims[i], 3);
        CHECK(dims[i][0] * dims[i][1] * dims[i][2] == nodes[i]);
    }
}

int main(int argc, char **argv)
{
    int place;

    begin(&argc, &argv);
    grid_of_two();
    smaller();
    dimensions();
    MPI_Cart_map(MPI_COMM_WORLD, 1, &(int){3}, &(int){0}, &place);
    CHECK(rank == 3 || place == rank); /* outside the grid Open MPI says 3, not undefined */
    return finish();
}
