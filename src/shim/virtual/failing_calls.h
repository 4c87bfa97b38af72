/*
 * failing_calls -- which calls of the C library fail (--faults).
 *
 * Each place from which the program makes such a call is asked about once, when it first comes there: the call fails, or it does
 * not (OP_CHOOSE).  In a run at most one call of one rank fails (OPF_ONCE), so what follows from it is the fault of that one.
 * The place is the program's, also if a function of the C library or of a language has made the call for it.
 *
 * Calls before MPI_Init and after MPI_Finalize, in other threads than the first, in calls of MPI and in what MPI calls, such as
 * operators, do not fail.  Nor do those at places beyond the first so many of a rank; the first time it gets that far, the rank says so by a choice of
 * one alternative.
 */
#ifndef SHIM_VIRTUAL_FAILING_CALLS_H
#define SHIM_VIRTUAL_FAILING_CALLS_H

/* At MPI_Init. */
void failing_calls_open(void);

#endif
