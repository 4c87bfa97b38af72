/*
 * crash -- telling tourney of a fatal signal before the rank dies of it.
 */
#ifndef SHIM_BODIES_CRASH_H
#define SHIM_BODIES_CRASH_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* What crash_tell needs is loaded, which allocates, before there is a crash or before it is told. */
void crash_load_unwinder(void);

/* Takes the fatal signals that the program has not taken itself. */
void crash_watch(void);
bool crash_is_free(int sig); /* the program does not handle it; the shim may */

/*
 * What raises SIGSEGV because tourney wants it to, and not the program, is shown to this function first: true, and it is done.
 * False: the program handles that signal itself.
 */
typedef bool crash_doer(ucontext_t *);
bool crash_lets_be_done(crash_doer *);
bool crash_is_done(const siginfo_t *, ucontext_t *);

/* From a handler: the signal came, and nobody knows what to do about it. */
void crash_tell(int sig);

#endif
