/*
 * invariants_parts -- the invariants by what they are about.  Private to src/sem.
 */
#ifndef SEM_INVARIANTS_PARTS_H
#define SEM_INVARIANTS_PARTS_H

#include "sem/invariants.h"
#include "sem/state.h"

/* Its links agree, it ends where it says, and it holds only elements below `bound`.  Returns how many it holds. */
uint32_t invariants_of_list(const char *name, const struct list *, struct rail, size_t bound);

/* What is free and what is taken is all there is; `next_` is what follows `i_` on the list of the free. */
#define INVARIANTS_OF_FREE(pool, next_, name)                                                             \
    do {                                                                                                  \
        size_t free_ = 0;                                                                                 \
        for (uint32_t i_ = (pool)->free; i_; i_ = (next_), free_++)                                       \
            INVARIANT(i_ < (pool)->n && free_ < (pool)->n, "the free " name " make no list");             \
        INVARIANT(!(pool)->n ? !(pool)->used : free_ + (pool)->used + 1 == (pool)->n,                     \
                  "%zu " name " are free and %u taken, of %zu", free_, (pool)->used, (size_t)(pool)->n);  \
    } while (0)
#define INVARIANTS_OF_POOL(pool, name) INVARIANTS_OF_FREE(pool, (pool)->at[i_].next, name)

void invariants_of_queues(const struct sem *);      /* invariants_queue.c */
void invariants_of_collectives(const struct sem *); /* invariants_coll.c */

#endif
