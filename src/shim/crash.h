/*
 * crash -- telling tourney of a fatal signal before the rank dies of it.
 */
#ifndef SHIM_CRASH_H
#define SHIM_CRASH_H

/* Takes the fatal signals that the program has not taken itself. */
void crash_watch(void);

#endif
