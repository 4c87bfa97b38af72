/*
 * sound -- whether an operation that comes from outside can be one.
 *
 * From a file, or from memory that a program may have written over.  A sound
 * operation can be looked at without fear: what its tail has to hold lies in the
 * record, and its numbers are in range.  Whether it makes sense, given what came before,
 * is for others to say.
 */
#ifndef CALL_SOUND_H
#define CALL_SOUND_H

#include "call/op.h"

/* Request numbers are below that: the lowest that is free is given out, and lists go by number.  So do attached buffers. */
enum { OP_MOST_REQUESTS = 1 << 22, OP_MOST_BUFFERS = 1 << 16 };

/* Of one choice: decisions tell them as sets. */
enum { OP_MOST_ALTERNATIVES = 64 };

/* `room`: bytes that are there, aligned to 8.  Payloads, if they are not in the tail, are left aside. */
bool op_is_sound(const struct op *, size_t room, int ranks);

#endif
