/*
 * Pack and Unpack, by hand and as MPI_PACKED messages in both directions;
 * pack_external in the canonical representation.
 *
 * run: -n 2
 */
#include "check.h"

static void packed_both_ways(void)
{
    char buffer[200];
    int place = 0, n = 3, v[3] = {1, 2, 3}, peer = 1 - rank;
    double d[2] = {0.5, 1.5};
    MPI_Status status;

    if (rank == 0) {
        MPI_Pack(&n, 1, MPI_INT, buffer, sizeof buffer, &place, MPI_COMM_WORLD);
        MPI_Pack(v, n, MPI_INT, buffer, sizeof buffer, &place, MPI_COMM_WORLD);
        MPI_Pack(d, 2, MPI_DOUBLE, buffer, sizeof buffer, &place, MPI_COMM_WORLD);
        MPI_Send(buffer, place, MPI_PACKED, peer, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(buffer, sizeof buffer, MPI_PACKED, peer, 0, MPI_COMM_WORLD, &status);
        memset(v, 0, sizeof v);
        memset(d, 0, sizeof d);
        MPI_Unpack(buffer, sizeof buffer, &place, &n, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(buffer, sizeof buffer, &place, v, n, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(buffer, sizeof buffer, &place, d, 2, MPI_DOUBLE, MPI_COMM_WORLD);
        say("unpacked %d: %d %d %d, %g %g", n, v[0], v[1], v[2], d[0], d[1]);
        CHECK(v[2] == 3 && d[1] == 1.5);
    }
}

/* Packed on one side, typed on the other: the standard allows both. */
static void packed_and_typed(void)
{
    int v[4] = {4, 5, 6, 7}, w[4] = {0}, place = 0;
    char buffer[100];
    MPI_Datatype ends;
    MPI_Status status;

    MPI_Type_vector(2, 1, 3, MPI_INT, &ends);
    MPI_Type_commit(&ends);
    if (rank == 0) {
        MPI_Pack(v, 1, ends, buffer, sizeof buffer, &place, MPI_COMM_WORLD);
        MPI_Send(buffer, place, MPI_PACKED, 1, 1, MPI_COMM_WORLD);
        MPI_Send(v, 4, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Recv(w, 1, ends, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        say_ints("typed from packed", w, 4);
        CHECK(w[0] == 4 && w[3] == 7 && w[1] == 0);
        MPI_Recv(buffer, sizeof buffer, MPI_PACKED, 0, 2, MPI_COMM_WORLD, &status);
        MPI_Unpack(buffer, sizeof buffer, &place, w, 4, MPI_INT, MPI_COMM_WORLD);
        say_ints("packed from typed", w, 4);
    }
    MPI_Type_free(&ends);
}

static void external(void)
{
    unsigned char buffer[64] = {0};
    int v[2] = {0x01020304, rank}, w[2] = {0};
    MPI_Aint place = 0, bytes;

    MPI_Pack_external_size("external32", 2, MPI_INT, &bytes);
    MPI_Pack_external("external32", v, 2, MPI_INT, buffer, sizeof buffer, &place);
    say("external32: %ld bytes, first %d %d %d %d", (long)bytes, buffer[0], buffer[1], buffer[2],
        buffer[3]);
    CHECK(place == 8 && buffer[0] == 1);
    place = 0;
    MPI_Unpack_external("external32", buffer, sizeof buffer, &place, w, 2, MPI_INT);
    CHECK(w[0] == v[0] && w[1] == rank);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    packed_both_ways();
    packed_and_typed();
    external();
    return finish();
}
