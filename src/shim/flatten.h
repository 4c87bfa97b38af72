/*
 * flatten -- the signature of a datatype of the real library.
 */
#ifndef SHIM_FLATTEN_H
#define SHIM_FLATTEN_H

#include "call/signature.h"
#include "shim/shim.h"

/* Adds it to one that may be empty. */
void flatten(MPI_Datatype, struct signature *);

/* Frees a datatype that MPI_Type_get_contents has handed out, unless it is one that the library has anyway. */
void flatten_give_back(MPI_Datatype);

#endif
