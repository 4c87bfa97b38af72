/*
 * Every constructor of derived types: sent with the type and received packed,
 * then sent packed and received with the type.
 *
 * run: -n 2
 */
#include "check.h"

enum { ROOM = 24 };

/* Sends with one type, receives with the other; prints what is in the buffer. */
static void transfer(const char *what, int n_out, MPI_Datatype out, int n_in, MPI_Datatype in)
{
    int v[ROOM];

    for (int i = 0; i < ROOM; i++)
        v[i] = rank == 0 ? i : -1;
    if (rank == 0) {
        MPI_Send(v, n_out, out, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Status status;
        int count;
        MPI_Recv(v, n_in, in, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_elements(&status, in, &count);
        say_ints(what, v, ROOM);
        CHECK(count > 0);
    }
}

static void both_ways(const char *what, MPI_Datatype type)
{
    int bytes;
    char name[60];

    MPI_Type_commit(&type);
    MPI_Type_size(type, &bytes);
    snprintf(name, sizeof name, "%s out", what);
    transfer(name, 1, type, bytes / (int)sizeof(int), MPI_INT);
    snprintf(name, sizeof name, "%s in", what);
    transfer(name, bytes / (int)sizeof(int), MPI_INT, 1, type);
    MPI_Type_free(&type);
    CHECK(type == MPI_DATATYPE_NULL);
}

int main(int argc, char **argv)
{
    MPI_Datatype type, inner;
    int lengths[3] = {2, 1, 3}, places[3] = {10, 0, 5};
    MPI_Aint bytes[3] = {40, 0, 20};
    MPI_Datatype parts[3];

    begin(&argc, &argv);
    MPI_Type_contiguous(5, MPI_INT, &type), both_ways("contiguous", type);
    MPI_Type_vector(3, 2, 4, MPI_INT, &type), both_ways("vector", type);
    MPI_Type_create_hvector(3, 1, 12, MPI_INT, &type), both_ways("hvector", type);
    MPI_Type_indexed(3, lengths, places, MPI_INT, &type), both_ways("indexed", type);
    MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &type), both_ways("hindexed", type);
    MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type), both_ways("indexed_block", type);
    MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &type);
    both_ways("hindexed_block", type);

    MPI_Type_vector(2, 1, 2, MPI_INT, &inner);
    parts[0] = MPI_INT, parts[1] = inner, parts[2] = MPI_FLOAT;
    lengths[1] = 1, lengths[2] = 0;
    MPI_Type_create_struct(3, lengths, bytes, parts, &type), both_ways("struct", type);
    MPI_Type_contiguous(3, inner, &type), both_ways("nested", type);
    MPI_Type_create_resized(inner, -4, 20, &type);
    MPI_Type_free(&inner);
    /* The inner types may go: the outer ones do not need the handles. */
    MPI_Type_contiguous(3, type, &inner);
    MPI_Type_free(&type);
    both_ways("resized", inner);
    MPI_Type_vector(2, 2, 5, MPI_INT, &inner);
    MPI_Type_dup(inner, &type), both_ways("dup", type);
    MPI_Type_free(&inner);

    MPI_Type_vector(3, 1, 3, MPI_INT, &inner);
    MPI_Type_commit(&inner);
    transfer("vector to several", 1, inner, 3, MPI_INT);
    MPI_Type_free(&inner);
    return finish();
}
