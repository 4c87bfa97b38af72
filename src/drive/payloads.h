/*
 * payloads -- what ranks have put into their messages.
 *
 * Ranks read what they are handed in the arena, which is memory that all processes share.  There the latest payloads lie;
 * those of long ago lie on disk (base/bulk.h), and are put back when an answer hands them over once more.  A program that sends the same
 * long message time and again, in one run or in many, has it there once.
 */
#ifndef DRIVE_PAYLOADS_H
#define DRIVE_PAYLOADS_H

#include "base/bulk.h"
#include "base/map.h"
#include "base/mem.h"
#include "drive/reading.h"

struct payload {
    struct payload_block block; /* in the arena; at 0: it does not lie there */
    const void *aside;          /* the same bytes in the hoard; NULL: they were never put there */
};

struct payloads {
    struct memory *memory;       /* borrows: the arena */
    struct hoard hoard;
    VEC(const void *) long_ones; /* in the hoard, */
    struct map by_sum;           /* and by sum and length which of them was put there last */
    VEC(struct payload *) latest; /* those in the arena, in the order in which they came there; some have left it since */
    size_t oldest;               /* of these, the first that may still be there */
    uint64_t bytes;              /* of what lies in the arena */
};
void payloads_release(struct payloads *);

/* Takes over blocks of the arena.  The list lives as long as the payloads. */
struct payload *payloads_keep(struct payloads *, const struct payload_block *, size_t n);

/* Nobody will ask for these any more. */
void payloads_drop(struct payloads *, struct payload *, size_t n);

/* Where it lies in the arena, to which it is brought back if need be. */
uint64_t payloads_offset(struct payloads *, struct payload *);

/* Puts the oldest aside if there are many.  To be called while no rank reads what it was handed. */
void payloads_put_aside(struct payloads *);

#endif
