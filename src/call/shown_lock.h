/*
 * shown_lock -- the lock of a window, as the ranks of a play show it to each other.
 *
 * A rank that finds the lock free takes it at once, by one change of a word in shared memory, and knows that it has it.  Each grant of
 * a lock has a number there; the rank sends the number with its request (the ticket), and tourney, which reads the requests later, grants
 * them in that order.  So it comes to the same, and remains the only one who decides what a program sees: who has a ticket has met, in
 * the semantics, those before it.
 *
 * Whoever does not find the lock free waits, and is counted.  While somebody waits nobody takes the lock by itself: tourney
 * grants it, by the rules of any play, and changes the word for the rank.  Such a lock is also given back by tourney.
 */
#ifndef CALL_SHOWN_LOCK_H
#define CALL_SHOWN_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/* From the lowest bit: how many hold it together; one holds it alone; how many wait; the number of the last grant. */
#define SHOWN_LOCK_HOLDER UINT64_C(1)
#define SHOWN_LOCK_HOLDERS UINT64_C(0xffff)
#define SHOWN_LOCK_ALONE (UINT64_C(1) << 16)
#define SHOWN_LOCK_WAITER (UINT64_C(1) << 17)
#define SHOWN_LOCK_WAITERS (UINT64_C(0x7fff) << 17)
#define SHOWN_LOCK_GRANT (UINT64_C(1) << 32)

/* A ticket says which grant it is, or that there was none; 0: this lock is not shown. */
#define TICKET_GRANTED (UINT64_C(1) << 32)
#define TICKET_WAITS (UINT64_C(2) << 32)
#define TICKET_ALONE (UINT64_C(4) << 32) /* of a release: the lock was held by one alone */

static inline uint32_t shown_lock_grants(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

static inline bool shown_lock_admits(uint64_t word, bool alone)
{
    return !(word & (SHOWN_LOCK_ALONE | (alone ? SHOWN_LOCK_HOLDERS : 0)));
}

/* The word once it is granted to one more.  The numbers of grants begin anew some time, and only their last 32 bits count. */
static inline uint64_t shown_lock_granted(uint64_t word, bool alone)
{
    return word + SHOWN_LOCK_GRANT + (alone ? SHOWN_LOCK_ALONE : SHOWN_LOCK_HOLDER);
}

/* What is taken away when it is given back. */
static inline uint64_t shown_lock_share(bool alone)
{
    return alone ? SHOWN_LOCK_ALONE : SHOWN_LOCK_HOLDER;
}

static inline bool ticket_is_granted(uint64_t ticket)
{
    return ticket & TICKET_GRANTED;
}

static inline bool ticket_waits(uint64_t ticket)
{
    return ticket & TICKET_WAITS;
}

#endif
