#include "shim/window/slots.h"

#include <string.h>

#include "call/window.h"

static uint64_t used_here[WINDOW_SLOTS / 64];

void slots_used(uint64_t *word, uint32_t words)
{
    memcpy(word, used_here, words * sizeof *word);
}

void slots_take(uint32_t slot)
{
    used_here[slot / 64] |= UINT64_C(1) << slot % 64;
}

void slots_leave(uint32_t slot)
{
    used_here[slot / 64] &= ~(UINT64_C(1) << slot % 64);
}
