/*
 * Copies of handles that were freed; and handles that are in use again, since the library
 * gives them out a second time.
 *
 * check: -n 2 -- send: invalid-argument error SEND
 * check: -n 2 -- bcast: invalid-argument error BCAST
 * check: -n 2 -- again: invalid-argument error AGAIN
 * check: -n 2 -- op: invalid-argument error OP
 * check: -n 2 -- group: invalid-argument error GROUP
 * check: -n 2: none
 */
#include <mpi.h>
#include <string.h>

static const char *what = "";

static int is(const char *word)
{
    return strcmp(what, word) == 0;
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static MPI_Datatype make_pair(void)
{
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    return pair;
}

static void types(void)
{
    int v[4] = {0}, ints, addresses, count, combiner;
    MPI_Aint none;
    MPI_Datatype type = make_pair(), copy = type, outer, inner;
    MPI_Type_free(&type);
    if (is("send"))
        MPI_Send(v, 1, copy, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* SEND */
    if (is("bcast"))
        MPI_Bcast(v, 1, copy, 0, MPI_COMM_WORLD); /* BCAST */
    if (is("again"))
        MPI_Type_free(&copy); /* AGAIN */
    type = make_pair();
    MPI_Bcast(v, 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_contiguous(2, type, &outer);
    MPI_Type_free(&type);
    MPI_Type_get_envelope(outer, &ints, &addresses, &count, &combiner);
    MPI_Type_get_contents(outer, ints, addresses, count, &ints, &none, &inner);
    MPI_Bcast(v, 1, inner, 0, MPI_COMM_WORLD);
    MPI_Type_free(&inner);
    MPI_Type_free(&outer);
}

static void operators(void)
{
    int v = 1, sum;
    MPI_Op op, copy;
    MPI_Op_create(add, 1, &op);
    copy = op;
    MPI_Op_free(&op);
    if (is("op"))
        MPI_Allreduce(&v, &sum, 1, MPI_INT, copy, MPI_COMM_WORLD); /* OP */
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(&v, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
}

static void groups(void)
{
    int size;
    MPI_Group group, copy;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    copy = group;
    MPI_Group_free(&group);
    if (is("group"))
        MPI_Group_size(copy, &size); /* GROUP */
}

int main(int argc, char **argv)
{
    if (argc > 1)
        what = argv[1];
    MPI_Init(&argc, &argv);
    types();
    operators();
    groups();
    MPI_Finalize();
    return 0;
}
