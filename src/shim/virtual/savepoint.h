/*
 * savepoint -- a rank that goes back to where it slept before, in place of a copy that had been left there.
 *
 * What it has written since is put back, by itself, from blocks that tourney has in the arena; tourney knows which pages
 * these are (drive/savepoints.h).  What the kernel keeps for it is not put back.  So SIGSYS comes in place of system calls
 * that change such things and of which tourney does not hear otherwise: they are made, and tourney is told that there is no
 * way back any more.  A rank that has savepoints does not end either: it sleeps where it would have ended.
 *
 * What such a process cannot do at all, since its filter would be handed on, another one without savepoints has to do: it
 * ends, as if somebody had killed it.
 */
#ifndef SHIM_VIRTUAL_SAVEPOINT_H
#define SHIM_VIRTUAL_SAVEPOINT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "call/wire.h"

/* In a copy that has just been made; false: it cannot have savepoints. */
bool savepoint_begin(void);

/* Before a rank falls asleep: does what was put off. */
void savepoint_settle(void);

/* A rank that falls asleep: notes its faults and what of the kernel's is put back. */
void savepoint_before_sleep(_Atomic uint64_t *faults);
void savepoint_after_return(void);

void savepoint_make(const struct savepoint_order *, char *arena);
_Noreturn void savepoint_go_back(const struct savepoint_order *, char *arena);

/* A system call came as SIGSYS; false: not for our sake. */
bool savepoint_take_call(const siginfo_t *, void *context);

#endif
