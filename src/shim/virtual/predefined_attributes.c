/*
 * predefined -- attributes that every job has, some of which a single process answers otherwise than a job does.
 *
 * MPI_UNIVERSE_SIZE is what mpiexec says: Open MPI's says how many ranks it was asked for, MPICH's says nothing; and a
 * single process under MPICH would start a process manager for it, and wait.  MPI_APPNUM is 0, there being one program.
 *
 * The bindings for Fortran do not go by MPI_Comm_get_attr but by functions of their library, which the gate has, too.
 */
#include <dlfcn.h>

#include "shim/comm.h"
#include "shim/core/error.h"

#define EXPORT __attribute__((visibility("default")))

static int application;

#ifdef OPEN_MPI

static int universe;

/* Also of a duplicate, and of no other communicator: the library knows of which. */
static int look_up(MPI_Comm comm, int keyval, void *attribute, int *flag)
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

#else

static int look_up(MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    if (keyval != MPI_UNIVERSE_SIZE && keyval != MPI_APPNUM)
        return real.Comm_get_attr(comm, keyval, attribute, flag);
    *flag = keyval == MPI_APPNUM;
    if (*flag)
        *(int **)attribute = &application;
    return MPI_SUCCESS;
}

/* As what a value is asked for; C asks for pointers. */
enum attribute_form { FORM_POINTER, FORM_ADDRESS, FORM_FINT = 3 };
typedef int get_form(MPI_Comm, int keyval, void *attribute, int *flag, enum attribute_form);
EXPORT get_form MPII_Comm_get_attr;

/* Fortran's keys are the ones that follow those of C. */
int MPII_Comm_get_attr(MPI_Comm comm, int keyval, void *attribute, int *flag, enum attribute_form form)
{
    int key = keyval % 2 == 0 ? keyval - 1 : keyval;
    shim.knows_tag_limit |= key == MPI_TAG_UB && form != FORM_POINTER;
    if (form == FORM_POINTER || (key != MPI_UNIVERSE_SIZE && key != MPI_APPNUM)) {
        get_form *ask;
        *(void **)&ask = dlsym(shim.library, __func__);
        return ask(comm, keyval, attribute, flag, form);
    }
    *flag = key == MPI_APPNUM;
    if (form == FORM_ADDRESS)
        *(MPI_Aint *)attribute = 0;
    else
        *(MPI_Fint *)attribute = 0;
    return MPI_SUCCESS;
}

#endif

int body_Comm_get_attr(MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    const struct comm *c = comm_find(comm);
    if (!c)
        return error_argument(NULL, MPI_ERR_COMM, "%s", comm_what_is_wrong(comm));
    if (!attribute)
        return error_argument(c, MPI_ERR_ARG, "there is no place for the attribute");
    shim.knows_tag_limit |= keyval == MPI_TAG_UB;
    return look_up(comm, keyval, attribute, flag);
}

int body_Attr_get(MPI_Comm comm, int keyval, void *attribute, int *flag)
{
    return body_Comm_get_attr(comm, keyval, attribute, flag);
}
