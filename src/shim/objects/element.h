/*
 * element -- what an accumulate works on: the basic type of a datatype, and how its bytes are read.
 */
#ifndef SHIM_OBJECTS_ELEMENT_H
#define SHIM_OBJECTS_ELEMENT_H

#include "call/window.h"
#include "shim/shim.h"

/* The predefined type that all entries of a datatype are of; MPI_DATATYPE_NULL: they are of several. */
MPI_Datatype element_basic(MPI_Datatype);

/* Two names of one type are the same. */
bool element_is_same(MPI_Datatype basic, MPI_Datatype other);

/* How an operator (enum operator) reads this basic type; false: tourney cannot compute with it. */
bool element_describe(MPI_Datatype basic, uint32_t number, struct window_element *);

#endif
