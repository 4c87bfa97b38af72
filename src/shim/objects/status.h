/*
 * status -- what the program is told of an operation that is complete.
 */
#ifndef SHIM_OBJECTS_STATUS_H
#define SHIM_OBJECTS_STATUS_H

#include "shim/shim.h"

void status_empty(MPI_Status *);
void status_null_peer(MPI_Status *);
void status_set(MPI_Status *, int source, int tag, uint64_t bytes, bool cancelled);
void status_tell(MPI_Status *, int source, int tag, uint64_t bytes); /* or MPI_STATUS_IGNORE; MPI_ERROR stays */

/*
 * Before a call sleeps that will fill it in when it returns, whatever comes: until then what is left there of an earlier
 * call is of no account, and ranks that differ in nothing else are the same.
 */
void status_forget(MPI_Status *);
void status_copy(MPI_Status *to, const MPI_Status *from); /* `to` may be MPI_STATUS_IGNORE; MPI_ERROR stays */

#endif
