/*
 * flatten -- the signature of a datatype of the real library.
 */
#ifndef SHIM_OBJECTS_FLATTEN_H
#define SHIM_OBJECTS_FLATTEN_H

#include "call/signature.h"
#include "call/variables.h"
#include "shim/shim.h"

/* Adds it to one that may be empty. */
void flatten(MPI_Datatype, struct signature *);

/* Which basic type a predefined one is, as in signatures: BASIC_BYTE and its like, or a number of this file's own. */
uint32_t flatten_basic(MPI_Datatype);

/* What sort of number it is, and what it is called; a complex one is two of its parts. */
struct flatten_kind {
    enum number_kind kind;
    uint32_t size;
    const char *name;
};
struct flatten_kind flatten_kind(uint32_t basic, uint32_t size);

/* Whether it has to be freed: those that the library has anyway, such as Fortran's by precision, must not be. */
bool flatten_is_derived(MPI_Datatype);

/* Frees a datatype that MPI_Type_get_contents has handed out, if that has to be. */
void flatten_give_back(MPI_Datatype);

#endif
