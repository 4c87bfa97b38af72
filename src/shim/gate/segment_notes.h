/*
 * segment_notes -- System V memory of this process that the kernel keeps, on the list from which tourney removes what is left (call/segment_list.h).
 *
 * In `tourney run` that is memory without a key.  What has a key is there to be found by others, and is left as it would be by mpiexec;
 * but a search makes many runs, of which nobody has asked for one.
 *
 * As long as such memory is there, attached or not, a copy of the process would have the same, and not its like: no copy is made (kept_state.h).
 */
#ifndef SHIM_GATE_SEGMENT_NOTES_H
#define SHIM_GATE_SEGMENT_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* shmget of the kernel.  `of_program`: it is not the MPI library that wants it; `own`: nobody else is told the number. */
int segment_notes_get(key_t key, size_t size, int flags, bool of_program, bool own);

/* It is removed now. */
void segment_notes_forget(int number);

#endif
