/*
 * signature -- a datatype as MPI compares it: the sequence of its basic types.
 *
 * Where in memory they lie does not count.  Runs of one basic type are kept as one
 * entry; of a type with more runs than there is room for, only a sum is known.  The
 * sum, and with it the id, depends on the sequence alone, not on how it was built:
 * equal ids are equal signatures, in every rank.
 */
#ifndef CALL_SIGNATURE_H
#define CALL_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "call/op.h"

/* What the basic types are called is the shim's affair; those up to here may stand for any other. */
enum { BASIC_NONE, BASIC_BYTE, BASIC_PACKED, BASIC_OTHER };

static inline bool basic_fits_any(uint32_t basic)
{
    return basic <= BASIC_OTHER;
}

struct signature_run {
    uint32_t basic, size; /* bytes of one */
    uint64_t n;
};

enum { SIGNATURE_RUNS = 64, SIGNATURE_LONG = UINT32_MAX };

struct signature {
    uint64_t elements, bytes;
    uint64_t sum;
    bool fits_any; /* some of it may stand for any other type */
    uint32_t runs; /* SIGNATURE_LONG: they are not known */
    struct signature_run run[SIGNATURE_RUNS];
};

/* The empty one is all zero. */
void signature_add_basic(struct signature *, uint32_t basic, uint32_t size);
void signature_add(struct signature *, const struct signature *more, uint64_t times);

uint64_t signature_id(const struct signature *); /* never 0 */

/*
 * As it travels: an OP_TYPE has `count` elements of `bytes` bytes, `signature` is the
 * id, and behind the name, filled up to 8, stand `sum` and then the runs, `items`.
 */
size_t signature_size(const struct signature *);
void signature_write(const struct signature *, void *to);
bool signature_read(struct signature *, const struct op *); /* false: there is none */

#endif
