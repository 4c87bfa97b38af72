/*
 * part_board -- what the ranks of a play bring to collectives, where all others can see it (mail.h).
 *
 * Each rank has a board with a slot for each of its communicators, and there a place for its part in a collective that all members wait for,
 * and another for its part in the next one.  Nobody says when it has read a part.  For whoever shows its third part has completed its second collective:
 * so all members have joined that, and have returned from the first one before.  A slot that a communicator has left is taken by another one when the
 * members of the first have met in a later collective.
 */
#ifndef CALL_PART_BOARD_H
#define CALL_PART_BOARD_H

#include "call/mail.h"

enum { PART_SLOTS = 32 };

struct shown_part {
    _Alignas(64) _Atomic uint64_t joined; /* 1 + the turn of the collective; 0: nothing was shown yet */
    union {
        struct op op; /* as it was posted */
        char room[MAIL_MOST];
    };
};

struct part_slot {
    _Alignas(64) _Atomic uint32_t taken;
    context_t context;
    struct shown_part part[2];
};

struct part_board {
    struct part_slot slot[PART_SLOTS];
};

#endif
