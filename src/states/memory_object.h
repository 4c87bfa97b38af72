/*
 * memory_object -- what an address in a rank's memory is, in words: a variable, a block of malloc, a frame of the stack.
 */
#ifndef STATES_MEMORY_OBJECT_H
#define STATES_MEMORY_OBJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "call/wire.h"
#include "drive/stacks.h"
#include "symbols/symbol.h"

struct memory_namer;

/* Of one program.  Borrows the symbols. */
struct memory_namer *memory_namer_new(struct symbols *);
void memory_namer_free(struct memory_namer *);

/* Looks at a process that sleeps, in a call that was made from there; what is asked next is about it. */
void memory_namer_look(struct memory_namer *, pid_t, const struct wire_sleep *, const struct stack *callers);

struct memory_object {
    char *name;        /* owned by the caller: "variable left", "block of 96 bytes from pool.c:24 in send_number" */
    const char *owner; /* "program", "MPI library", "C library", "tourney", or the name of a file; as long as the namer */
    uint64_t offset;   /* of the address in it */
    bool follows;      /* it is as it is because of other memory: what tourney knows of blocks */
};
struct memory_object memory_namer_find(struct memory_namer *, uint64_t address);

#endif
