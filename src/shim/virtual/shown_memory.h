/*
 * shown_memory -- the word beside a public copy that ranks of a play have between them (call/shown_memory.h).
 */
#ifndef SHIM_VIRTUAL_SHOWN_MEMORY_H
#define SHIM_VIRTUAL_SHOWN_MEMORY_H

#include "call/shown_memory.h"
#include "call/wire.h"

void shown_memory_open(struct wire_head *);

/* Whether no message is under way there, so that accesses may be made. */
bool shown_memory_is_free(rank_t owner, uint32_t slot);

/* A message that changes something there, or is atomic, is about to be posted. */
void shown_memory_count_message(rank_t owner, uint32_t slot);

/* An atomic access begins, false: it must not; and is over, its ticket. */
bool shown_memory_enter(rank_t owner, uint32_t slot);
uint64_t shown_memory_leave(rank_t owner, uint32_t slot);

#endif
