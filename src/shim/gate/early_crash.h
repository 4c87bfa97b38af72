/*
 * early_crash -- a fatal signal before MPI_Init.
 *
 * A program that is given one argument too few dies before it has called MPI at all, and so before there is a shim.  The gate takes fatal
 * signals until MPI_Init; when one comes it opens the shim, which tells tourney of this rank and of its crash.
 */
#ifndef SHIM_GATE_EARLY_CRASH_H
#define SHIM_GATE_EARLY_CRASH_H

#include <signal.h>

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { FATAL_SIGNALS = sizeof fatal_signals / sizeof *fatal_signals };

/* The gate's handler. */
void tourney_early_crash(int sig, siginfo_t *, void *context);

#endif
