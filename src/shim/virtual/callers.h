/*
 * callers -- from where in the program the current MPI call was made: its stack.
 */
#ifndef SHIM_VIRTUAL_CALLERS_H
#define SHIM_VIRTUAL_CALLERS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Return addresses, from the place of the call outwards, at most `most`; what is MPI's own, or between
 * MPI and the program, is left out.  Of a script, its lines (script.h).  Returns how many.
 */
size_t callers_find(uint64_t *address, size_t most);

#endif
