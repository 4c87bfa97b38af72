/*
 * MPI_Type_get_contents hands out a datatype that the program has already, or once had: it is one more to be freed, and to
 * free it does not end the other.  Named datatypes must not be freed.
 *
 * check: -n 1: none
 * runs: -n 1: 1, merged 1
 * check: -n 1 -- keep: type-leak warning HANDED_OUT
 * runs: -n 1 -- keep: 1, merged 1
 * check: -n 1 -- use: invalid-argument error USED
 * runs: -n 1 -- use: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static MPI_Datatype contents(MPI_Datatype outer)
{
    int ints, addresses, types, combiner, integer[3];
    MPI_Aint address[1];
    MPI_Datatype inner;
    MPI_Type_get_envelope(outer, &ints, &addresses, &types, &combiner);
    MPI_Type_get_contents(outer, ints, addresses, types, integer, address, &inner); /* HANDED_OUT */
    return inner;
}

int main(int argc, char **argv)
{
    int in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {0};
    MPI_Datatype row, rows, again, after;
    const char *what = argc > 1 ? argv[1] : "";

    MPI_Init(&argc, &argv);
    MPI_Type_vector(2, 1, 2, MPI_INT, &row);
    MPI_Type_commit(&row);
    MPI_Type_contiguous(2, row, &rows);
    MPI_Type_commit(&rows);
    if (contents(row) != MPI_INT)
        abort();

    again = contents(rows);
    MPI_Type_free(&again);
    MPI_Sendrecv(in, 1, row, 0, 0, out, 1, row, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    if (out[0] != 1 || out[2] != 3)
        abort();

    MPI_Type_free(&row);
    after = contents(rows);
    row = after;
    MPI_Type_commit(&after);
    MPI_Sendrecv(in, 1, after, 0, 0, out, 1, after, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    if (strcmp(what, "keep"))
        MPI_Type_free(&after);
    if (!strcmp(what, "use"))
        MPI_Send(in, 1, row, MPI_PROC_NULL, 0, MPI_COMM_SELF); /* USED */
    MPI_Type_free(&rows);
    MPI_Finalize();
    return 0;
}
