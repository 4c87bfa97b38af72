/*
 * reduction_pair -- which predefined operators MPI allows on which types.
 *
 * The table is that of "Predefined Reduction Operations" in the standard, by its groups of basic types.
 * Libraries do more than that, each something else, so they cannot be asked.
 */
#ifndef SHIM_OBJECTS_REDUCTION_PAIR_H
#define SHIM_OBJECTS_REDUCTION_PAIR_H

#include "shim/shim.h"

enum reduction_group {
    GROUP_UNKNOWN, /* a type of the library's own: nothing is said of it */
    GROUP_C_INTEGER,
    GROUP_FORTRAN_INTEGER,
    GROUP_FLOATING_POINT,
    GROUP_LOGICAL,
    GROUP_COMPLEX,
    GROUP_BYTE,
    GROUP_MULTI_LANGUAGE,
    GROUP_PAIR,
    GROUP_NONE, /* characters and what is packed: none of the operators is for them */
    GROUP_DERIVED,
};

enum reduction_group reduction_group_of(MPI_Datatype);

/* By the number of the operator, enum operator.  Those of the program are for any type. */
bool reduction_pair_is_allowed(uint32_t number, enum reduction_group);

#endif
