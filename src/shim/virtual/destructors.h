/*
 * destructors -- of the modules that a process has loaded: whose are run when a rank ends that may be a copy.
 *
 * What the MPI library and those that it alone has brought along have made belongs to all copies of a rank: none of them
 * puts it away.  All others are run.
 */
#ifndef SHIM_VIRTUAL_DESTRUCTORS_H
#define SHIM_VIRTUAL_DESTRUCTORS_H

#include <stdbool.h>

/* Before the rank is copied: what can be found out now need not be in each copy. */
void destructors_look(void);

/* When it is the linker's turn to run them: true, if they have been run; otherwise it has to. */
bool destructors_run(void);

/* The linker will leave those out that are not to be run. */
void destructors_spare(void);

#endif
