/*
 * list -- doubly linked lists through fields of the elements of an array or a shared pool, by index.
 *
 * A rail says where in each element the links of one kind of list lie; an
 * element can be on one list per rail.  Index 0 is no element.
 */
#ifndef SEM_LIST_H
#define SEM_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/shared_pool.h"

struct link {
    uint32_t prev, next;
};

struct list {
    uint32_t first, last;
};

struct rail {
    struct shared_pool *pool; /* NULL: it is an array */
    char *base;
    size_t offset, stride;
};

#define RAIL(array, field) ((struct rail){NULL, (char *)(array), offsetof(__typeof__(*(array)), field), sizeof *(array)})

static inline const struct link *rail_link(struct rail rail, uint32_t i)
{
    const char *element = rail.pool ? shared_pool_at(rail.pool, i, rail.stride) : rail.base + i * rail.stride;

    return (const struct link *)(element + rail.offset);
}

static inline struct link *rail_link_to_change(struct rail rail, uint32_t i)
{
    char *element = rail.pool ? shared_pool_change(rail.pool, i, rail.stride) : rail.base + i * rail.stride;

    return (struct link *)(element + rail.offset);
}

static inline void list_append(struct list *list, struct rail rail, uint32_t i)
{
    *rail_link_to_change(rail, i) = (struct link){list->last, 0};
    if (list->last)
        rail_link_to_change(rail, list->last)->next = i;
    else
        list->first = i;
    list->last = i;
}

static inline void list_unlink(struct list *list, struct rail rail, uint32_t i)
{
    struct link link = *rail_link(rail, i);

    if (link.prev)
        rail_link_to_change(rail, link.prev)->next = link.next;
    else
        list->first = link.next;
    if (link.next)
        rail_link_to_change(rail, link.next)->prev = link.prev;
    else
        list->last = link.prev;
}

#endif
