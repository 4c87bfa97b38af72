/*
 * reduction_orders -- what a reduction gives if MPI combines in another order (--reductions).
 *
 * MPI takes operators to be associative, and those that are not said otherwise to commute: a library may combine in any order.  Sums
 * and products of floating point numbers are rounded, so their result depends on it; and so may that of an operator of the program.
 * Here a few orders are tried that libraries have: one after the other from either end, trees, and rings.  What they give is compared,
 * numbers as numbers: a zero is a zero, whatever its sign, and what is no number is none.
 *
 * If results differ the rank says so (a note, `reduction-order`) and, if it is asked to, which of them it gets is a choice, the same one at all
 * members of an MPI_Allreduce.  Not on intercommunicators, and not of datatypes with gaps.
 */
#ifndef SHIM_VIRTUAL_REDUCTION_ORDERS_H
#define SHIM_VIRTUAL_REDUCTION_ORDERS_H

#include "shim/objects/type.h"

/* The vectors of all members, packed, by their positions, and where the result lies, made by combining from the last to the first. */
struct reduction {
    MPI_Op op;
    const struct type *type;
    uint64_t bytes;           /* of a vector */
    const char **vector;      /* `members` of them */
    uint32_t members;
    void *result;
    uint32_t alike;           /* so many ranks get the same result */
    context_t context;        /* of the collective, */
    int32_t turn;             /* and its number there */
};

/* At MPI_Init. */
void reduction_orders_open(void);

/* Whether anybody wants to know, of this operator and type. */
bool reduction_orders_matter(MPI_Op, const struct type *);

/* Compares.  It is told, and what is chosen is put in place of the result, when the answer that the vectors are in has been read. */
void reduction_orders_look(const struct reduction *);

#endif
