/*
 * predefined_attributes -- attributes that every job has, some of which a single process answers otherwise than a job does.
 *
 * MPI_UNIVERSE_SIZE is what mpiexec says; MPI_APPNUM is 0 in the first world, there being one program, and else which command of the spawn it is.  The bindings for Fortran do not go by
 * MPI_Comm_get_attr but by functions of their library, which the gate has, too (shim/library).
 */
#include "shim/comm.h"
#include "shim/core/error.h"
#include "shim/library/maker.h"

static bool is_of_job(int keyval)
{
    return keyval == MPI_UNIVERSE_SIZE || keyval == MPI_APPNUM;
}

/* MPICH's mpiexec does not say MPI_UNIVERSE_SIZE, and a single process would start a process manager for it, and wait. */
static int application_only(int keyval, void *attribute, int *flag)
{
    *flag = keyval == MPI_APPNUM;
    if (*flag)
        *(int **)attribute = &shim.application;
    return MPI_SUCCESS;
}

/* As many as mpiexec was asked for.  Also of a duplicate, and of no other communicator: the library knows of which. */
static int ask_library(MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    int rc = real.Comm_get_attr(comm, keyval, attribute, flag);
    if (rc == MPI_SUCCESS && *flag && is_of_job(keyval))
        *(int **)attribute = keyval == MPI_APPNUM ? &shim.application : &shim.universe;
    return rc;
}

int body_Comm_get_attr(MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    const struct comm *c = comm_find(comm);
    if (!c)
        return error_argument(NULL, MPI_ERR_COMM, "%s", comm_what_is_wrong(comm));
    if (!attribute)
        return error_argument(c, MPI_ERR_ARG, "there is no place for the attribute");
    shim.knows_tag_limit |= keyval == MPI_TAG_UB;
    if (is_of_job(keyval) && !library_maker->knows_universe)
        return application_only(keyval, attribute, flag);
    return ask_library(comm, keyval, attribute, flag);
}

int body_Attr_get(MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    return body_Comm_get_attr(comm, keyval, attribute, flag);
}
