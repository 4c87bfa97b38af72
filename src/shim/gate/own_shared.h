/*
 * own_shared -- memory that the program wants to share with others, while there are none.
 *
 * Anonymous shared memory can be seen by children that are made later, and by nobody else.  In a rank that is copied
 * (call/obstacle.h) it is the rank's own, as all other memory is, so a copy has it with its contents.  It becomes what it was
 * asked to be, once and for all, just before that could make a difference: when the rank makes a child, or does more to the
 * mapping than to load, to store and to give it back.  System V memory is treated alike (own_segments.h).
 */
#ifndef SHIM_GATE_OWN_SHARED_H
#define SHIM_GATE_OWN_SHARED_H

#include <stddef.h>
#include <stdint.h>

/* MAP_FAILED: it cannot be had that way, and is to be shared from the beginning. */
void *own_shared_map(size_t length, int protection);

/* A part of memory was given back, or something else has taken its place. */
void own_shared_forget(uintptr_t start, size_t length);

/* What meets this range becomes shared, and an obstacle. */
void own_shared_publish(uintptr_t start, size_t length);

/* The same of everything, since a child is about to be made.  Also for own_segments.h. */
void own_shared_before_child(void);

#endif
