/*
 * rest -- threads of a rank that wait in MPI calls of a single run wait together, without polling.
 *
 * In a search threads take turns (turns.h).  In a single run they run as they like, and one that waits has asked in vain whether it can go on.  One of
 * those who wait sleeps for all of them, until tourney has news for the rank, or another thread makes a call.  It says whether there are others
 * that compute, or sleep until something else happens than what a thread of the rank does: if there are none, nobody in the rank goes on by
 * itself, and tourney sees a deadlock at once.
 */
#ifndef SHIM_REST_H
#define SHIM_REST_H

#include <stdbool.h>
#include <stdint.h>

/* Until there may be news for who waits for these requests; none: for something else that tourney has.  The caller is in an entry. */
void rest_until_news(const uint32_t *number, uint32_t n);

/* A thread has come in: those who wait let it go first. */
void rest_interrupt(void);

#endif
