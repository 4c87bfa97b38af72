/*
 * attributes -- those that a single process answers otherwise than a job does, in the bindings for Fortran
 * (virtual/predefined_attributes.c).
 */
#include <dlfcn.h>

#include "shim/shim.h"

#define EXPORT __attribute__((visibility("default")))

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
