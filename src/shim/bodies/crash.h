/*
 * crash -- telling tourney of a fatal signal before the rank dies of it.
 */
#ifndef SHIM_BODIES_CRASH_H
#define SHIM_BODIES_CRASH_H

#include <stdbool.h>

/* Takes the fatal signals that the program has not taken itself. */
void crash_watch(void);
bool crash_is_free(int sig); /* the program does not handle it; the shim may */

/* From a handler: the signal came, and nobody knows what to do about it. */
void crash_tell(int sig);

#endif
