/*
 * snapshot -- the memory of a sleeping rank, to be compared with another one byte by byte.
 *
 * What is in no image (world/image.h) is not in a snapshot.  Pages that many snapshots have are kept once.
 */
#ifndef STATES_SNAPSHOT_H
#define STATES_SNAPSHOT_H

#include <sys/types.h>

#include "base/map.h"
#include "base/mem.h"
#include "call/wire.h"

enum { SNAPSHOT_PAGE = 4096 };

/* All contents of pages.  All zero is empty. */
struct snapshot_store {
    struct map known;      /* sum -> in `page`, + 1 */
    VEC(uint64_t *) page;  /* owns */
};

struct snapshot_page {
    uint64_t address;
    uint32_t content; /* in the store, + 1 */
};

/* Pages by address; those of zeros are left out. */
struct snapshot {
    VEC(struct snapshot_page) page;
};

void snapshot_store_release(struct snapshot_store *);

/* -1: it cannot be read. */
int snapshot_take(struct snapshot_store *, pid_t, const struct wire_sleep *, struct snapshot *)
    __attribute__((warn_unused_result));
void snapshot_release(struct snapshot *);

/* In how many pages two differ. */
size_t snapshot_distance(const struct snapshot *, const struct snapshot *);

/* Tells each word of eight bytes in which they differ, by address. */
typedef void snapshot_tell(void *data, uint64_t address, uint64_t a, uint64_t b);
void snapshot_compare(const struct snapshot_store *, const struct snapshot *a, const struct snapshot *b,
                      snapshot_tell *, void *data);

#endif
