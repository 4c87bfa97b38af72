/*
 * Calls that old programs still make: attributes by their first names, and
 * what MPICH keeps of MPI 1.
 *
 * run: -n 2
 * compare: each
 */
#include "check.h"

static int copies, deletes;

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_it(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    deletes++;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    MPI_Comm comm, other;
    int key, found, *value;

    MPI_Keyval_create(copy, delete_it, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Attr_put(comm, key, &rank);
    MPI_Comm_dup(comm, &other);
    MPI_Attr_get(other, key, &value, &found);
    CHECK(found && value == &rank);
    MPI_Attr_delete(other, key);
    MPI_Comm_free(&other);
    MPI_Comm_free(&comm);
    MPI_Keyval_free(&key);
    say("attributes: copies %d deletes %d", copies, deletes);
    MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
    CHECK(found && *value >= 32767);
}

#ifndef OPEN_MPI
static int handled;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    handled++;
}

static void first_version(void)
{
    struct {
        int a;
        double b[2];
    } s = {rank, {rank + 0.5, 7}};
    int lengths[2] = {1, 2}, got[4] = {0};
    MPI_Aint places[2], start, extent;
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type, rows;
    MPI_Errhandler errhandler;

    MPI_Address(&s, &start);
    MPI_Address(&s.a, &places[0]);
    MPI_Address(&s.b, &places[1]);
    places[0] -= start, places[1] -= start;
    MPI_Type_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Type_extent(type, &extent);
    MPI_Bcast(&s, 1, type, 1, MPI_COMM_WORLD);
    say("struct: %d %g %g, extent %ld", s.a, s.b[0], s.b[1], (long)extent);
    MPI_Type_free(&type);

    MPI_Type_hvector(2, 1, 8, MPI_INT, &rows);
    MPI_Type_commit(&rows);
    MPI_Sendrecv((int[]){rank, -1, rank + 5, -1}, 1, rows, 1 - rank, 0, got, 2, MPI_INT, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say_ints("hvector", got, 2);
    MPI_Type_free(&rows);

    MPI_Errhandler_create(handler, &errhandler);
    MPI_Errhandler_set(MPI_COMM_WORLD, errhandler);
    MPI_Send(got, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    say("handled %d", handled);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&errhandler);
}
#else
static void first_version(void)
{
}
#endif

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    attributes();
    first_version();
    return finish();
}
