/*
 * content -- the bytes of a window, as its keeper has them.
 *
 * The search keeps the window as it is after every history of its keeper, so copies share what they have in common: memory is
 * cut into chunks, and a chunk that several copies hold is made anew by whoever writes to it.
 */
#ifndef WINDOW_CONTENT_H
#define WINDOW_CONTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/mem.h"

struct content_chunk;

/* Memory without gaps: a window has one region, a dynamic one has what is attached. */
struct content_region {
    uint64_t at, bytes;
    struct content_chunk **chunk; /* owns the list, and a share of each */
    char *shown;                  /* or it lies here, where others have it, too: then there are no chunks */
};

/* All zero is one without memory. */
struct content {
    VEC(struct content_region) region; /* by rising address */
};

void content_copy(struct content *to, const struct content *from); /* what `to` held before is not freed */
void content_release(struct content *);

void content_attach(struct content *, uint64_t at, const void *bytes, uint64_t n);
void content_adopt(struct content *, char *shown, uint64_t n); /* all of it, which is not copied; nor are contents that have it */
void content_detach(struct content *, uint64_t at);

/* Whether all of these bytes are there, in one region. */
bool content_has(const struct content *, uint64_t at, uint64_t n);

/* All only where content_has. */
void content_read(const struct content *, uint64_t at, void *to, uint64_t n);
bool content_is(const struct content *, uint64_t at, const void *bytes, uint64_t n);
void content_write(struct content *, uint64_t at, const void *from, uint64_t n);

void content_stir(const struct content *, struct map_key *sum);

#endif
