/*
 * segment_list -- System V memory that ranks, or what they have started, have made and not removed.
 *
 * The kernel keeps such memory when its maker ends, and a rank may be ended at any instruction.  So it stands here, in
 * memory that tourney and its janitor see, before it is made and until it is removed; what then is left, they remove.
 */
#ifndef CALL_SEGMENT_LIST_H
#define CALL_SEGMENT_LIST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum {
    SEGMENT_PLACES = 4096, /* as many as a system has, if nobody has set that otherwise */
    SEGMENT_IN_THE_MAKING = -1, /* as a number; the kernel gives none below 0 */
    SEGMENT_COMES = -1,         /* as a maker: the place is taken, and nothing is made yet */
};

struct segment_place {
    _Atomic int32_t maker;  /* the process; 0: the place is free */
    _Atomic int32_t number; /* that the kernel has given */
    uint32_t since;         /* seconds on the wall's clock: it was not made before */
    uint32_t makers_own;    /* nobody but its maker, and children of that, knows the number */
};

/* All zero is an empty one. */
struct segment_list {
    _Atomic uint32_t noted; /* so many places are taken */
    struct segment_place place[SEGMENT_PLACES];
};

/* To be called before it is made.  NULL: there are too many. */
static inline struct segment_place *segment_list_announce(struct segment_list *list, int32_t maker, time_t now, bool makers_own)
{
    for (int i = 0; i < SEGMENT_PLACES; i++) {
        struct segment_place *place = &list->place[i];
        int32_t nobody = 0;
        if (!atomic_compare_exchange_strong(&place->maker, &nobody, SEGMENT_COMES))
            continue;
        atomic_store(&place->number, SEGMENT_IN_THE_MAKING);
        place->since = (uint32_t)now;
        place->makers_own = makers_own;
        atomic_fetch_add(&list->noted, 1);
        atomic_store(&place->maker, maker);
        return place;
    }
    return NULL;
}

static inline void segment_list_forget(struct segment_list *list, struct segment_place *place)
{
    if (atomic_exchange(&place->maker, 0))
        atomic_fetch_sub(&list->noted, 1);
}

/* The place of memory with this number; NULL: it is not here. */
static inline struct segment_place *segment_list_find(struct segment_list *list, int32_t number)
{
    for (int i = 0; i < SEGMENT_PLACES; i++)
        if (atomic_load(&list->place[i].maker) > 0 && atomic_load(&list->place[i].number) == number)
            return &list->place[i];
    return NULL;
}

#endif
