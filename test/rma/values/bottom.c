/*
 * MPI_BOTTOM and types with absolute addresses as buffers of the origin.
 *
 * run: -n 2
 * check: -n 2: none
 */
#include <mpi.h>

#include "check_value.h"

static int window[4], left, right;

static MPI_Datatype both(int *first, int *second)
{
    int lengths[2] = {1, 1};
    MPI_Aint places[2];
    MPI_Datatype type;

    MPI_Get_address(first, &places[0]);
    MPI_Get_address(second, &places[1]);
    MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    MPI_Datatype values;
    MPI_Win win;
    int other;

    begin(&argc, &argv);
    other = 1 - rank;
    values = both(&left, &right);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    left = 1 + rank;
    right = 11 + rank;
    MPI_Win_fence(0, win);
    MPI_Put(MPI_BOTTOM, 1, values, other, 0, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    CHECK(window[0] == 1 + other && window[1] == 11 + other);
    MPI_Win_fence(0, win);
    MPI_Accumulate(MPI_BOTTOM, 1, values, other, 0, 2, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    CHECK(window[0] == 2 * (1 + other) && window[1] == 2 * (11 + other));
    left = right = 0;
    MPI_Win_fence(0, win);
    MPI_Get(MPI_BOTTOM, 1, values, other, 0, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    CHECK(left == 2 * (1 + rank) && right == 2 * (11 + rank));
    MPI_Type_free(&values);
    MPI_Win_free(&win);
    return end();
}
