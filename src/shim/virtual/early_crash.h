/*
 * early_crash -- a crash before MPI_Init (gate/early_crash.h), as it is told.
 */
#ifndef SHIM_VIRTUAL_EARLY_CRASH_H
#define SHIM_VIRTUAL_EARLY_CRASH_H

/* MPI_Init begins: the library finds signals as it does without the gate, and then crash_watch takes them. */
void early_crash_is_over(void);

#endif
