/*
 * named_calls -- where a process calls functions that are known by name: the slots of its libraries through which it jumps.
 *
 * These functions print, or compute a number from numbers.  How they do so depends on values digit by digit; but that is of
 * no account as long as nothing they have written is (relevance.h).
 */
#ifndef FLOW_NAMED_CALLS_H
#define FLOW_NAMED_CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/map.h"

enum named_call {
    NAMED_NONE,
    NAMED_QUIET,      /* prints or computes */
    NAMED_ERRNO,      /* tells where errno is */
    NAMED_EXCEPTIONS, /* asks for floating-point exceptions, of which nobody here keeps account */
};

struct named_calls {
    struct map slots; /* address of a slot -> enum named_call */
    uint64_t exit_at; /* where exit() begins */
    bool looked;
};

void named_calls_release(struct named_calls *);

/* Looks once, at what the process has loaded by then. */
void named_calls_find(struct named_calls *, pid_t);
enum named_call named_calls_at(const struct named_calls *, uint64_t slot);

#endif
