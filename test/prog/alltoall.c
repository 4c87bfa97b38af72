/*
 * Alltoall, Alltoallv, Alltoallw: plain, in place, uneven, a type per peer.
 *
 * run: -n 3
 */
#include "check.h"

enum { MAX = 8 };

static void plain(void)
{
    int out[MAX], in[MAX];

    for (int r = 0; r < size; r++)
        out[r] = 10 * rank + r;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    say_ints("alltoall", in, size);
    for (int r = 0; r < size; r++)
        CHECK(in[r] == 10 * r + rank);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT, MPI_COMM_WORLD);
    say_ints("back in place", in, size);
    for (int r = 0; r < size; r++)
        CHECK(in[r] == out[r]);
}

/* Rank s sends |s - r| ints to r, so that nobody sends to itself. */
static void uneven(void)
{
    int counts[MAX], places[MAX], out[MAX * MAX], in[MAX * MAX];

    memset(in, -1, sizeof in);
    for (int r = 0; r < size; r++) {
        counts[r] = abs(rank - r);
        places[r] = r * size;
        for (int i = 0; i < size; i++)
            out[r * size + i] = 100 * rank + 10 * r + i;
    }
    MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    say_ints("alltoallv", in, size * size);
    CHECK(in[rank * size] == -1);

    for (int i = 0; i < size * size; i++)
        in[i] += in[i] < 0 ? 0 : 1000 * rank;
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    say_ints("back in place", in, size * size);
    for (int r = 0; r < size; r++)
        CHECK(r == rank || in[r * size] == 1000 * r + 100 * rank + 10 * r);
}

/* The transpose of a block row: each peer's block with a type of its own. */
static void transpose(void)
{
    int out[MAX], in[MAX], ones[MAX], from[MAX], to[MAX];
    MPI_Datatype send_types[MAX], receive_types[MAX];

    for (int r = 0; r < size; r++) {
        out[r] = 10 * rank + r;
        ones[r] = 1;
        from[r] = r * sizeof(int);
        to[r] = (size - 1 - r) * sizeof(int);
        MPI_Type_contiguous(1, MPI_INT, &send_types[r]);
        MPI_Type_commit(&send_types[r]);
        receive_types[r] = MPI_INT;
    }
    ones[rank] = 0; /* not to oneself */
    memset(in, -1, sizeof in);
    MPI_Alltoallw(out, ones, from, send_types, in, ones, to, receive_types, MPI_COMM_WORLD);
    say_ints("alltoallw", in, size);
    for (int r = 0; r < size; r++) {
        CHECK(in[size - 1 - r] == (r == rank ? -1 : 10 * r + rank));
        MPI_Type_free(&send_types[r]);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    plain();
    uneven();
    transpose();
    MPI_Alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, MPI_COMM_WORLD);
    return finish();
}
