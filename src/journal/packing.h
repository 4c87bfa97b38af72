/*
 * packing -- the bytes of a block, made small.
 *
 * Records are much like those before them, so blocks are compressed as pieces of one stream, each with all that came
 * before it in mind, and can be read in their order only.  Each can be read as soon as it is written.  A session begins a
 * stream of its own.
 */
#ifndef JOURNAL_PACKING_H
#define JOURNAL_PACKING_H

#include <stdbool.h>

#include "base/mem.h"

typedef VEC(char) bytes_t;

struct packer;
struct packer *packer_new(void);
void packer_free(struct packer *); /* or NULL */

/* Appends the next piece of the stream to `to`. */
void packer_add(struct packer *, const char *raw, size_t bytes, bytes_t *to);

struct unpacker;
struct unpacker *unpacker_new(void);
void unpacker_free(struct unpacker *); /* or NULL */

/* A new stream begins. */
void unpacker_begin(struct unpacker *);

/* Puts into `raw` what a piece of the stream holds; false: it does not hold so many bytes, or is no piece of a stream. */
bool unpacker_read(struct unpacker *, const char *packed, size_t bytes, size_t holds, bytes_t *raw);

#endif
