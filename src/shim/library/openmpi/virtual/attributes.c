/*
 * attributes -- those that a single process answers otherwise than a job does, in C and in the bindings for Fortran.
 *
 * MPI_UNIVERSE_SIZE is how many ranks mpiexec was asked for.
 */
#include <dlfcn.h>

#include "shim/library/library.h"
#include "shim/shim.h"

#define EXPORT __attribute__((visibility("default")))

static int application;

static int universe;

/* Also of a duplicate, and of no other communicator: the library knows of which. */
int library_get_attribute(MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    int rc = real.Comm_get_attr(comm, keyval, attribute, flag);
    universe = shim.size;
    if (rc == MPI_SUCCESS && *flag && keyval == MPI_UNIVERSE_SIZE)
        *(int **)attribute = &universe;
    if (rc == MPI_SUCCESS && *flag && keyval == MPI_APPNUM)
        *(int **)attribute = &application;
    return rc;
}

struct opal_hash_table_t;
typedef int get_aint(struct opal_hash_table_t *, int keyval, MPI_Aint *, int *flag);
typedef int get_fint(struct opal_hash_table_t *, int keyval, MPI_Fint *, int *flag);
EXPORT get_aint ompi_attr_get_aint;
EXPORT get_fint ompi_attr_get_fint;

static bool is_changed(int keyval)
{
    shim.knows_tag_limit |= keyval == MPI_TAG_UB;
    return shim.initialized && (keyval == MPI_UNIVERSE_SIZE || keyval == MPI_APPNUM);
}

int ompi_attr_get_aint(struct opal_hash_table_t *attributes, int keyval, MPI_Aint *attribute, int *flag)
{
    get_aint *ask;
    *(void **)&ask = dlsym(shim.library, __func__);
    int rc = ask(attributes, keyval, attribute, flag);
    if (rc == MPI_SUCCESS && *flag && is_changed(keyval))
        *attribute = keyval == MPI_APPNUM ? 0 : shim.size;
    return rc;
}

int ompi_attr_get_fint(struct opal_hash_table_t *attributes, int keyval, MPI_Fint *attribute, int *flag)
{
    get_fint *ask;
    *(void **)&ask = dlsym(shim.library, __func__);
    int rc = ask(attributes, keyval, attribute, flag);
    if (rc == MPI_SUCCESS && *flag && is_changed(keyval))
        *attribute = keyval == MPI_APPNUM ? 0 : shim.size;
    return rc;
}
