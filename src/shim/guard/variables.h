/*
 * variables -- which variable of the executable an address is in (call/variables.h).
 *
 * Nothing is known of programs that are started by a script, of shared libraries, of what was built without -g (but
 * for static variables in the symbol table), and of locals of other threads.
 */
#ifndef SHIM_GUARD_VARIABLES_H
#define SHIM_GUARD_VARIABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "call/variables.h"

struct variable {
    uintptr_t start, end;               /* of its memory, with all that shares it */
    const char *name;
    uintptr_t typed_start;              /* of the variable that `type` is of */
    const struct variables_type *type;  /* NULL: not known, or of several types */
};

void variables_open(void); /* at the end of MPI_Init */

/* False: none is known there.  In a frame of the calling thread, or static. */
bool variables_find(uintptr_t address, struct variable *);

/* The number that is at an offset of a type; NULL: it may be sent as anything. */
const struct variables_number *variables_number_at(const struct variables_type *, uint64_t offset);
const char *variables_text(uint64_t);

#endif
