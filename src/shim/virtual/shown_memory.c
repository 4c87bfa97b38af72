#include "shim/virtual/shown_memory.h"

#include <sys/syscall.h>

#include "arch/system_call.h"

enum { GLANCES = 64 }; /* before another process gets the processor: who is there may be waiting for it */

static struct wire_head *head;

void shown_memory_open(struct wire_head *shown_head)
{
    head = shown_head;
}

static _Atomic uint64_t *memory_word_of(rank_t owner, uint32_t slot)
{
    struct wire_channel *channel = (struct wire_channel *)((char *)head + wire_channel_offset(owner));
    return &channel->window_memories[slot];
}

bool shown_memory_is_free(rank_t owner, uint32_t slot)
{
    return !(atomic_load(memory_word_of(owner, slot)) & SHOWN_MEMORY_MESSAGES);
}

void shown_memory_count_message(rank_t owner, uint32_t slot)
{
    atomic_fetch_add(memory_word_of(owner, slot), SHOWN_MEMORY_MESSAGE);
}

bool shown_memory_enter(rank_t owner, uint32_t slot)
{
    _Atomic uint64_t *word = memory_word_of(owner, slot);
    uint64_t now = atomic_load(word);
    for (int glances = 1; !(now & SHOWN_MEMORY_MESSAGES); glances++) {
        if (!(now & SHOWN_MEMORY_BUSY) && atomic_compare_exchange_weak(word, &now, now | SHOWN_MEMORY_BUSY))
            return true;
        if (glances % GLANCES == 0)
            system_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        now = atomic_load(word);
    }
    return false;
}

uint64_t shown_memory_leave(rank_t owner, uint32_t slot)
{
    uint64_t before = atomic_fetch_add(memory_word_of(owner, slot), SHOWN_MEMORY_TURN - SHOWN_MEMORY_BUSY);
    return TICKET_OF_MEMORY | (uint32_t)(shown_memory_turns(before) + 1);
}
