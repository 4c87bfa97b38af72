/*
 * region -- what sort of memory an address is in.
 */
#ifndef SHIM_GUARD_REGION_H
#define SHIM_GUARD_REGION_H

#include <stdint.h>

enum memory_region {
    REGION_STACK,   /* of the thread that asks */
    REGION_DATA,    /* variables of the executable */
    REGION_OLD,     /* of the heap, and possibly the MPI library's, from MPI_Init */
    REGION_HEAP,    /* used by the program only since then */
    REGION_MAPPED,  /* private, writable, and no file's */
    REGION_OTHER,   /* shared, or not writable, or several of these, or nothing at all */
    REGION_UNKNOWN, /* one of the last two; it takes some time to say which */
};

void region_open(void); /* at the end of MPI_Init */

enum memory_region region_guess(uintptr_t start, uintptr_t end); /* at once; may be REGION_UNKNOWN */
enum memory_region region_find(uintptr_t start, uintptr_t end);

#endif
