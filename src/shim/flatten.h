/*
 * flatten -- the signature of a datatype of the real library.
 */
#ifndef SHIM_FLATTEN_H
#define SHIM_FLATTEN_H

#include "call/signature.h"
#include "shim/shim.h"

/* Adds it to one that may be empty. */
void flatten(MPI_Datatype, struct signature *);

/* Whether it has to be freed: those that the library has anyway, such as Fortran's by precision, must not be. */
bool flatten_is_derived(MPI_Datatype);

/* Frees a datatype that MPI_Type_get_contents has handed out, if that has to be. */
void flatten_give_back(MPI_Datatype);

#endif
