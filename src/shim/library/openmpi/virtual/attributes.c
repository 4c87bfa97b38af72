/*
 * attributes -- those that a single process answers otherwise than a job does, in the bindings for Fortran
 * (virtual/predefined_attributes.c).
 */
#include <dlfcn.h>

#include "shim/shim.h"

#define EXPORT __attribute__((visibility("default")))

struct opal_hash_table_t;
typedef int get_aint(struct opal_hash_table_t *, int keyval, MPI_Aint *, int *flag);
typedef int get_fint(struct opal_hash_table_t *, int keyval, MPI_Fint *, int *flag);
EXPORT get_aint ompi_attr_get_aint;
EXPORT get_fint ompi_attr_get_fint;

static bool is_changed(int keyval)
{
    shim.knows_tag_limit |= keyval == MPI_TAG_UB;
    return shim.up && (keyval == MPI_UNIVERSE_SIZE || keyval == MPI_APPNUM);
}

int ompi_attr_get_aint(struct opal_hash_table_t *attributes, int keyval, MPI_Aint *attribute, int *flag)
{
    get_aint *ask;
    *(void **)&ask = dlsym(shim.library, __func__);
    int rc = ask(attributes, keyval, attribute, flag);
    if (rc == MPI_SUCCESS && *flag && is_changed(keyval))
        *attribute = keyval == MPI_APPNUM ? shim.application : shim.universe;
    return rc;
}

int ompi_attr_get_fint(struct opal_hash_table_t *attributes, int keyval, MPI_Fint *attribute, int *flag)
{
    get_fint *ask;
    *(void **)&ask = dlsym(shim.library, __func__);
    int rc = ask(attributes, keyval, attribute, flag);
    if (rc == MPI_SUCCESS && *flag && is_changed(keyval))
        *attribute = keyval == MPI_APPNUM ? shim.application : shim.universe;
    return rc;
}
