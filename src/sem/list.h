/*
 * list -- doubly linked lists through fields of array elements, by index.
 *
 * A rail says where in each element the links of one kind of list lie; an
 * element can be on one list per rail.  Index 0 is no element.
 */
#ifndef SEM_LIST_H
#define SEM_LIST_H

#include <stddef.h>
#include <stdint.h>

struct link {
    uint32_t prev, next;
};

struct list {
    uint32_t first, last;
};

struct rail {
    char *base; /* the link of element 0 */
    size_t stride;
};

#define RAIL(array, field) ((struct rail){(char *)(array) + offsetof(__typeof__(*(array)), field), sizeof *(array)})

static inline struct link *rail_link(struct rail rail, uint32_t i)
{
    return (struct link *)(rail.base + i * rail.stride);
}

static inline void list_append(struct list *list, struct rail rail, uint32_t i)
{
    *rail_link(rail, i) = (struct link){list->last, 0};
    if (list->last)
        rail_link(rail, list->last)->next = i;
    else
        list->first = i;
    list->last = i;
}

static inline void list_unlink(struct list *list, struct rail rail, uint32_t i)
{
    struct link link = *rail_link(rail, i);

    if (link.prev)
        rail_link(rail, link.prev)->next = link.next;
    else
        list->first = link.next;
    if (link.next)
        rail_link(rail, link.next)->prev = link.prev;
    else
        list->last = link.prev;
}

#endif
