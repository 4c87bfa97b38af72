/*
 * memory -- the shared memory of a world (call/wire.h), as tourney sees it.
 *
 * The arena gives out payload blocks by powers of two.  Its addresses are many
 * and its pages few: some unused memory is kept, since getting and clearing it is
 * what large messages cost, the rest goes back to the system.
 */
#ifndef WORLD_MEMORY_H
#define WORLD_MEMORY_H

#include "base/mem.h"
#include "call/wire.h"

struct memory {
    int fd;
    char *base;
    size_t size;
    struct wire_head *head;
    uint64_t top;                  /* of the arena: everything above was never used */
    VEC(uint64_t) unused[64];      /* blocks by logarithm of size; bit 0 set: it has kept its pages */
    uint64_t kept;                 /* bytes of unused blocks that have */
};

void memory_open(struct memory *, int ranks, int first_ranks, int channels);
void memory_close(struct memory *);

static inline struct segment_list *memory_segments(const struct memory *m)
{
    return (struct segment_list *)(m->base + WIRE_SEGMENTS);
}

static inline struct wire_channel *memory_channel(const struct memory *m, int number)
{
    return (struct wire_channel *)(m->base + wire_channel_offset(number));
}

/* Ranks may show each other what they post (call/mail.h). */
void memory_make_mailboxes(struct memory *);
/* Mailboxes for some of the processes that ranks have, which are empty; 0: there are too many ranks. */
uint64_t memory_take_mailboxes(struct memory *);

/* A block of the arena; never offset 0.  Freeing needs the size asked for. */
uint64_t arena_take(struct memory *, uint64_t bytes);
void arena_give(struct memory *, uint64_t offset, uint64_t bytes);
/* What such a block takes. */
uint64_t arena_block_size(uint64_t bytes);

static inline void *arena_at(const struct memory *m, uint64_t offset)
{
    return m->base + m->head->arena + offset;
}

#endif
