/*
 * virtual_time -- what a program reads off its clocks.
 *
 * Where ranks are copied and run again, time has to be the same each time.  So it counts in
 * microseconds how often it was read: it moves, and loops that wait for it end.  From
 * the first reading on messages and collectives take time, too, a microsecond each and one per
 * kilobyte: a program that measures them learns that more take longer.  Before that they
 * take none, so that ranks that never look at a clock are told apart by nothing here.
 *
 * Polls.  A program that polls until some time has passed does not want to be told no a
 * million times.  So a reading after polls that said no, with nothing else in between, is
 * later by a leap that is twice as long each time: seconds and hours are over after a few
 * dozen readings.  Nothing else happens in that time, for whoever is told no is alone with it: the search
 * decides when the others move, and a play says no only when nobody else can.  The polls themselves change nothing that
 * shows in the image of a rank: one that does not look at a clock is where it was.
 *
 * In a play (`tourney run`) MPI_Wtime is like that, and the clocks of the C library are the real ones and
 * these leaps; with --real-time all are the real ones.
 */
#ifndef SHIM_VIRTUAL_VIRTUAL_TIME_H
#define SHIM_VIRTUAL_VIRTUAL_TIME_H

#include "shim/gate/gate.h"
#include "shim/shim.h"

/*
 * Sleeping takes virtual time only, unless a signal, a thread or a child of the rank's own may be what it sleeps for.  All this is
 * in front of the C library (gate/clock.c) and, for the counter of the processor, in a handler (cycle_counter.h).
 */

/* An operation begins. */
void virtual_time_passes(const struct op *);

/* Whether it is the program that would read it now, and virtual; and what it reads. */
bool virtual_time_is_read(void);
uint64_t virtual_time_read(void);

/* A poll has said no; or yes. */
void virtual_time_polled(bool yes);

#endif
