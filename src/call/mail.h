/*
 * mail -- what the ranks of a play, or of the opening of a search (drive/opening.h), show each other, besides what they post to tourney.
 *
 * tourney alone decides what meets what.  But a receive that names its source can meet just one send (L3), so a
 * rank that sees this send need not wait to be told.  For this every rank has a mailbox for each of those who send to it.
 * Whoever posts a send puts a copy there, and whoever joins a collective on its board (part_board.h), and then posts it; whoever finds what it waits for goes
 * on, unless tourney has answered first (`turn` of struct wire_channel).  What it found has been posted, so tourney comes to
 * the same answer when it reads the rings, and keeps it to itself.
 *
 * A mail that does not fit is left out.  Messages are numbered, so the receiver sees the gap, and asks tourney.
 *
 * What a receive from any source takes is chosen when all rest (play.h), or when the choice is certain (round_robin.h).  In a play a rank that sees this makes the choice
 * itself, as tourney would, notes it (`pick` of struct wire_channel), and tourney follows.
 */
#ifndef CALL_MAIL_H
#define CALL_MAIL_H

#include <stdatomic.h>
#include <stdint.h>

#include "call/op.h"

enum {
    MAIL_RANKS = 64,       /* with more there are no mailboxes: they would be too many */
    MAIL_ROOM = 1 << 14,   /* bytes of a mailbox; a power of two */
    MAIL_MOST = 1 << 12,   /* bytes of a record and its tail, which may name a payload in the arena; of a longer one only the envelope is shown */
    MAIL_MEMBERS = 16,     /* of a collective: everybody has to look at the parts of all others (part_board.h) */
};

enum mail_state {
    MAIL_NEW,
    MAIL_TAKEN,     /* by the receiver: it has it, or has no use for it */
    MAIL_WITHDRAWN, /* by the sender, who wants to cancel it: only tourney knows what became of it */
};

struct mail {
    uint32_t size;          /* with all that follows; a multiple of 8 */
    _Atomic uint32_t state; /* enum mail_state */
    uint64_t nth;           /* message of its sender to its receiver, from 1; 0: it is none */
    uint32_t whole;         /* its payload is there, or in the arena; else tourney has to be asked for it */
    union {
        uint32_t claimed;   /* receiver, of a message: the pass in which a receive was found for it */
        int32_t fence;      /* of accesses to a window (shim/virtual/window_mail.h): by which fence: its turn, on the communicator that `op` has as its ticket */
    };
    struct op op;           /* as it was posted */
};

struct mailbox {
    _Alignas(64) _Atomic uint64_t put; /* sender: bytes ever put into the ring */
    _Atomic uint64_t left_out;         /* sender: the last message for which there was no room; 0: none */
    _Alignas(64) _Atomic uint64_t got; /* receiver: bytes ever taken out */
    _Alignas(64) char ring[MAIL_ROOM];
};

/* The number of the mailbox from one rank to another. */
static inline size_t mailbox_number(rank_t from, rank_t to, int ranks)
{
    return (size_t)to * (size_t)ranks + (size_t)from;
}

#endif
