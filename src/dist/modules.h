/*
 * modules -- places in the code of a program, whatever addresses it was loaded at.
 *
 * Ranks of a job run on several machines, each with its own layout of memory.  A place is
 * therefore told by file and offset: the number is the same in every rank, job and session, for
 * it is made from the file's name.
 */
#ifndef DIST_MODULES_H
#define DIST_MODULES_H

#include <stdint.h>

#include "base/mem.h"

struct module_file {
    char *path;     /* owns */
    uint64_t start; /* the place at offset 0; there are 2^MODULE_BITS */
};

/* All zero is none. */
struct modules {
    VEC(struct module_file) file; /* owns */
};

enum { MODULE_BITS = 36 }; /* of an offset */

uint64_t module_place(struct modules *, const char *path, uint64_t offset);

/* The same, in a file of which the first place is known. */
static inline uint64_t module_place_in(uint64_t first, uint64_t offset)
{
    return first + (offset & ((UINT64_C(1) << MODULE_BITS) - 1));
}

void modules_release(struct modules *);

#endif
