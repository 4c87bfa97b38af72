/*
 * told_records -- records of operations that stay where they are until all of them are dropped.
 *
 * A loop over accesses makes the same few remarks again and again.  So a remark that is as one of the last ones is not kept once more: who
 * wants it gets the one that is there.  Other operations are told apart by where they lie, and each has a record of its own.
 */
#ifndef PLAY_TOLD_RECORDS_H
#define PLAY_TOLD_RECORDS_H

#include "base/mem.h"
#include "call/op.h"

enum { TOLD_REMEMBERED = 256 }; /* remarks that are looked through, a power of two */

/* All zero is empty. */
struct told_records {
    VEC(char *) block; /* owns */
    size_t used;       /* blocks, of which the last */
    size_t taken;      /* has so many bytes in use */
    const struct op *remembered[TOLD_REMEMBERED]; /* in the blocks, or NULL; by what they are */
};

/* The operation with that tail, which need not be its own. */
const struct op *told_records_keep(struct told_records *, const struct op *, const void *tail, size_t bytes)
    __attribute__((returns_nonnull));

/* Drops all of them; the room stays. */
void told_records_clear(struct told_records *);
void told_records_release(struct told_records *);

#endif
