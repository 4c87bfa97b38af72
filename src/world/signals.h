/*
 * signals -- the end of a child, and the wish that tourney should end, as events.
 *
 * Each signal adds to the events word of the shared memory, on which tourney
 * sleeps: one that comes between looking and sleeping is not slept over.
 */
#ifndef WORLD_SIGNALS_H
#define WORLD_SIGNALS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

void signals_take(_Atomic uint32_t *events);
void signals_leave(void);

bool signals_child(void); /* somebody has ended since this was last asked */
int signals_stop(void);   /* SIGINT, SIGTERM or SIGHUP, or 0 */

#endif
