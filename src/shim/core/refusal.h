/*
 * refusal -- a call that tourney takes over, but not like this: the run is over, and tourney says why.
 */
#ifndef SHIM_CORE_REFUSAL_H
#define SHIM_CORE_REFUSAL_H

/* Of the current call.  The reason stands behind "MPI_X is not supported". */
_Noreturn void refuse_because(const char *reason);

#endif
