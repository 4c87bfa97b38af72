/*
 * leaving -- the end of a rank that may be a copy.
 */
#ifndef SHIM_LEAVING_H
#define SHIM_LEAVING_H

/* At MPI_Init: from now on the process ends without what the MPI library does when it is unloaded. */
void leaving_watch(void);

#endif
