/*
 * flatten -- the signature of a datatype of the real library.
 */
#ifndef SHIM_FLATTEN_H
#define SHIM_FLATTEN_H

#include "call/signature.h"
#include "shim/shim.h"

/* Adds it to one that may be empty. */
void flatten(MPI_Datatype, struct signature *);

#endif
