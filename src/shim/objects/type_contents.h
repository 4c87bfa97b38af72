/*
 * type_contents -- what a datatype was made of, as the library tells it.
 *
 * Of a type that was made with large counts (MPI-4.0, 5.1.13) only the calls with large counts tell; their numbers are put here as the calls with
 * small ones have them, so that nobody else need know the difference.
 */
#ifndef SHIM_OBJECTS_TYPE_CONTENTS_H
#define SHIM_OBJECTS_TYPE_CONTENTS_H

#include <stdbool.h>

#include "shim/shim.h"

struct type_envelope {
    int combiner;
    MPI_Count ints, addresses, counts, types;
};

/* False: the library does not tell. */
bool type_envelope_get(MPI_Datatype, struct type_envelope *);

/* Of a datatype that there is. */
struct type_envelope type_envelope_of(MPI_Datatype);

struct type_contents {
    int combiner;
    int types;
    MPI_Count *integer, *address; /* owned */
    MPI_Datatype *type;           /* owned; each is handed out once more (flatten_give_back) */
};

/* False: the library does not tell; there are no types then. */
bool type_contents_get(struct type_contents *, MPI_Datatype, const struct type_envelope *);
void type_contents_release(struct type_contents *);

#endif
