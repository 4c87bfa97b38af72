/*
 * predefined_attributes -- attributes that every job has, some of which a single process answers otherwise than a job does.
 *
 * MPI_UNIVERSE_SIZE is what mpiexec says; MPI_APPNUM is 0, there being one program.  The bindings for Fortran do not go by
 * MPI_Comm_get_attr but by functions of their library, which the gate has, too (shim/library).
 */
#include "shim/comm.h"
#include "shim/core/error.h"
#include "shim/library/library.h"

int body_Comm_get_attr(MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    const struct comm *c = comm_find(comm);
    if (!c)
        return error_argument(NULL, MPI_ERR_COMM, "%s", comm_what_is_wrong(comm));
    if (!attribute)
        return error_argument(c, MPI_ERR_ARG, "there is no place for the attribute");
    shim.knows_tag_limit |= keyval == MPI_TAG_UB;
    return library_get_attribute(comm, keyval, attribute, flag);
}

int body_Attr_get(MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    return body_Comm_get_attr(comm, keyval, attribute, flag);
}
