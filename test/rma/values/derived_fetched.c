/*
 * Operations that fetch, with derived datatypes and MPI_BOTTOM for the operand, the result and the target.
 * Open MPI 4.1 does not fill a derived result unless it is told to use shared memory in another way.
 *
 * run: -n 2
 * env: OMPI_MCA_btl_vader_single_copy_mechanism=none
 * check: -n 2: none
 */
#include <mpi.h>

#include "check_value.h"

enum { PLACES = 8 };

static int *window, left, right, old_left, old_right;
static MPI_Win win;

static void set(int a, int b, int c, int d)
{
    MPI_Win_fence(0, win);
    window[0] = a;
    window[1] = b;
    window[2] = c;
    window[3] = d;
    MPI_Win_fence(0, win);
}

/* The same type for all three. */
static void vectors(void)
{
    int values[4] = {1, -1, 2, -1}, old[4] = {7, 7, 7, 7};
    MPI_Datatype even;

    MPI_Type_vector(2, 1, 2, MPI_INT, &even);
    MPI_Type_commit(&even);
    set(5, 0, 5, 0);
    MPI_Get_accumulate(values, 1, even, old, 1, even, 1 - rank, 0, 1, even, MPI_SUM, win);
    MPI_Win_fence(0, win);
    CHECK(old[0] == 5 && old[1] == 7 && old[2] == 5 && old[3] == 7);
    CHECK(window[0] == 6 && window[1] == 0 && window[2] == 7 && window[3] == 0);
    MPI_Type_free(&even);
}

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

static void absolute(void)
{
    MPI_Datatype values = both(&left, &right), results = both(&old_left, &old_right);

    left = 3;
    right = 4;
    set(8, 9, 0, 0);
    MPI_Get_accumulate(MPI_BOTTOM, 1, values, MPI_BOTTOM, 1, results, 1 - rank, 0, 2, MPI_INT, MPI_REPLACE, win);
    MPI_Win_fence(0, win);
    CHECK(old_left == 8 && old_right == 9);
    CHECK(window[0] == 3 && window[1] == 4);
    MPI_Type_free(&values);
    MPI_Type_free(&results);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Win_allocate(PLACES * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    vectors();
    absolute();
    MPI_Win_free(&win);
    return end();
}
