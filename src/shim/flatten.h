/*
 * flatten -- the signature of a datatype of the real library.
 */
#ifndef SHIM_FLATTEN_H
#define SHIM_FLATTEN_H

#include "call/signature.h"
#include "shim/shim.h"

/* Adds it to one that may be empty. */
void flatten(MPI_Datatype, struct signature *);

/* Which basic type a predefined one is: a number of enum flatten_basics, or BASIC_BYTE and its like. */
uint32_t flatten_basic(MPI_Datatype);

/* Frees a datatype that MPI_Type_get_contents has handed out, unless it is one that the library has anyway. */
void flatten_give_back(MPI_Datatype);

#endif
