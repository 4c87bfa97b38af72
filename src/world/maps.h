/*
 * maps -- where in the address space of another process the memory lies that it can
 * write and shares with nobody.
 */
#ifndef WORLD_MAPS_H
#define WORLD_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/map.h"
#include "base/mem.h"

struct mapping {
    uint64_t start, end;
    bool file; /* pages that were never written are the file's */
};

/* In the order of addresses.  All zero is empty; owned by whoever holds it. */
struct maps {
    VEC(struct mapping) of;
};

/*
 * -1: they cannot be read, or the process shares memory with others than tourney and can
 * write it, so that it does not own its future.
 */
int maps_read(struct maps *, pid_t) __attribute__((warn_unused_result));
void maps_release(struct maps *);

/* Of all mappings, also those that it cannot write; not of the stack, whose size is of no account. */
int maps_sum(pid_t, struct map_key *sum) __attribute__((warn_unused_result));

/* maps_read from the text of /proc/PID/maps, for kernels that have nothing better.  Tests compare the two. */
int maps_read_text(struct maps *, pid_t) __attribute__((warn_unused_result));

#endif
