/*
 * reduction_op -- applying reduction operators, and keeping them while needed.
 *
 * Operators are the real library's; it applies them too (MPI_Reduce_local).
 */
#ifndef SHIM_OBJECTS_REDUCTION_OP_H
#define SHIM_OBJECTS_REDUCTION_OP_H

#include "shim/objects/type.h"

/* Whether the library can use the operator with the datatype: MPI_SUCCESS or an error class. */
int reduction_op_check(MPI_Op, const struct type *);

/* Whether MPI allows that: what it forbids, some libraries do all the same. */
bool reduction_op_is_for(MPI_Op, const struct type *);

/* Which it is: enum operator. */
uint32_t reduction_op_number(MPI_Op);

/* Keeps an operator usable by a pending operation after the user frees it. */
void reduction_op_hold(MPI_Op);
void reduction_op_drop(MPI_Op);

/* inout = in OP inout, element by element, for the whole elements in `bytes` packed bytes. */
void reduction_op_apply(MPI_Op, const void *in, uint64_t bytes, void *inout, const struct type *);

#endif
