/*
 * Whose handler gets an error of a call that has no communicator: that of MPI_COMM_WORLD, or, as MPI 4 wants it, of MPI_COMM_SELF.
 * Libraries differ; each does under tourney what it does alone.
 *
 * run: -n 2
 */
#include "check.h"

static MPI_Datatype none = MPI_DATATYPE_NULL;
static int told;

static void tell(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    told++;
}

/* Who calls a handler may then return what it likes. */
static void try_all(const char *whose)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int ignored, errors = 0;

    told = 0;
    errors += MPI_Type_commit(&none) != MPI_SUCCESS;
    errors += MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
    errors += MPI_Group_size(MPI_GROUP_NULL, &ignored) != MPI_SUCCESS;
    CHECK(told + errors >= 3);
    say("%s: told %d", whose, told);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;

    begin(&argc, &argv);
    MPI_Comm_create_errhandler(tell, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    try_all("returned");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    try_all("handler");
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
#ifndef OPEN_MPI
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    try_all("handler of self");
#endif
#endif
    MPI_Errhandler_free(&handler);
    return finish();
}
