/*
 * stacks -- from where operations were called: many from few places, so each stack is kept once.
 */
#ifndef DRIVE_STACKS_H
#define DRIVE_STACKS_H

#include "base/map.h"
#include "base/mem.h"

/* Return addresses, from the place of the call outwards. */
struct stack {
    uint64_t *address; /* owns */
    uint32_t depth;
};

struct stacks {
    struct map number; /* by a sum of the addresses */
    VEC(struct stack) at;
};
void stacks_release(struct stacks *);

/* The number of a stack, from 1; 0 is that of none. */
uint32_t stacks_add(struct stacks *, const uint64_t *address, uint32_t depth);

#endif
