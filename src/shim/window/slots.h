/*
 * slots -- places of keepers (call/window.h): each open window, and each open file of several ranks, has one, the same at all members.
 */
#ifndef SHIM_WINDOW_SLOTS_H
#define SHIM_WINDOW_SLOTS_H

#include <stdint.h>

#define SLOT_NONE UINT32_MAX

/* In which of the first ones this rank has something: a bit for each, 64 in a word. */
void slots_used(uint64_t *word, uint32_t words);

void slots_take(uint32_t slot);
void slots_leave(uint32_t slot);

#endif
