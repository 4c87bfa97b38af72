/*
 * seen_messages -- messages that a thread has seen by a probe that does not take them, and will receive.
 *
 * "A probe followed by a receive" is two calls, and another thread of the rank may receive the message between them (MPI-4.0, 3.8.2: matching
 * probes are there for this).  Who has seen a message counts on it, whatever the library does.
 */
#ifndef SHIM_VIRTUAL_SEEN_MESSAGES_H
#define SHIM_VIRTUAL_SEEN_MESSAGES_H

#include "call/op.h"

/* This thread has. */
void seen_message_note(context_t, rank_t source, int32_t tag);

/* This thread is about to receive; complains if that may be a message that another one has seen. */
void seen_messages_compare(const struct op *receive);

#endif
