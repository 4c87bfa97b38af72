/*
 * Wrong arguments of calls that the real library does by itself: their errors are
 * fatal, and found like others.  The program sees MPI_ERRORS_ARE_FATAL as always.
 *
 * check: -n 2 -- count: invalid-argument error COUNT
 * check: -n 2 -- free: invalid-argument error FREE
 * check: -n 2 -- pack: invalid-argument error PACK
 * check: -n 2: none
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int v[3] = {0}, at = 0, bad;
    char packed[64];
    MPI_Datatype type = MPI_INT;
    MPI_Errhandler handler;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_get_errhandler(comm, &handler);
    bad = handler != MPI_ERRORS_ARE_FATAL;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    bad |= MPI_Type_free(&type) == MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&comm);
    if (strcmp(what, "free") == 0)
        MPI_Type_free(&type); /* FREE */
    MPI_Pack(v, strcmp(what, "pack") ? 1 : -1, MPI_INT, packed, sizeof packed, &at, MPI_COMM_WORLD); /* PACK */
    MPI_Type_contiguous(strcmp(what, "count") ? 2 : -2, MPI_INT, &type); /* COUNT */
    MPI_Type_free(&type);
    MPI_Finalize();
    return bad;
}
