/*
 * departure -- the end of a rank that may be a copy.
 */
#ifndef SHIM_VIRTUAL_DEPARTURE_H
#define SHIM_VIRTUAL_DEPARTURE_H

/* At MPI_Init: from now on the process ends without what the MPI library does when it is unloaded. */
void leaving_watch(void);

#endif
