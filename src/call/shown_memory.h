/*
 * shown_memory -- the public copy of a window, as the ranks of a play have it between them.
 *
 * The public copy lies in shared memory, where tourney's keeper has it, too: there is one, whoever changes it.  A rank whose epoch has begun at the
 * target makes its accesses there at once, has their results, and tells tourney afterwards (WINDOW_DONE).  Everybody else sends a
 * message to the keeper, as in a search.  A word beside the memory keeps the two apart:
 *
 * - While a message that changes something there, or is atomic, is under way, nobody makes an access by itself: what comes later would be done
 *   first.  A rank counts its message before it posts it, and tourney counts it off once it is done.
 * - One atomic access is made at a time, and each has a number, its turn.  The rank tells its turn, and tourney, which reads of them
 *   later, takes them in that order: so it knows what each has found (W12).  Turns do not go on while messages are under way.
 *
 * Puts and gets of others meanwhile are ordered by what ranks say to each other, or they race.
 */
#ifndef CALL_SHOWN_MEMORY_H
#define CALL_SHOWN_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* From the lowest bit: an atomic access is being made; how many messages are under way; the last turn. */
#define SHOWN_MEMORY_BUSY UINT64_C(1)
#define SHOWN_MEMORY_MESSAGE UINT64_C(2)
#define SHOWN_MEMORY_MESSAGES UINT64_C(0xfffffffe)
#define SHOWN_MEMORY_TURN (UINT64_C(1) << 32)

/* The ticket of an atomic access is this and its turn, of which the last 32 bits count; that of a message that is counted is this alone. */
#define TICKET_OF_MEMORY (UINT64_C(1) << 32)

static inline uint32_t shown_memory_turns(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

#endif
