/*
 * turn_calls -- system calls of threads that take turns (turns.h).
 */
#ifndef SHIM_VIRTUAL_TURN_CALLS_H
#define SHIM_VIRTUAL_TURN_CALLS_H

#include <signal.h>
#include <stdbool.h>

enum { TURN_CALL_BY_SECCOMP = 1 }; /* SYS_SECCOMP of <asm/siginfo.h> */

/* SIGSYS came in place of a call, or because a thread spins; false: not for our sake. */
bool turns_take_call(const siginfo_t *, void *context);

#endif
