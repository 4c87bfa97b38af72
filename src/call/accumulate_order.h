/*
 * accumulate_order -- which two accesses of the accumulate family by one rank to one place may happen in either order (W19).
 *
 * MPI orders them as they are called, read after read, read after write, write after read and write after write, unless the info key
 * accumulate_ordering gives some of that up (MPI-4.0, 12.7.2).  Each is atomic for an element (12.7.1): so if MPI promises any order of
 * what two of them do there, it is the order of the two.
 */
#ifndef CALL_ACCUMULATE_ORDER_H
#define CALL_ACCUMULATE_ORDER_H

#include "call/window.h"

/* As in struct window_access and struct window_use. */
struct accumulate {
    uint16_t kind, operator;
};

static inline bool accumulate_reads(struct accumulate a)
{
    return a.kind == WINDOW_FETCH || a.kind == WINDOW_SWAP;
}

static inline bool accumulate_writes(struct accumulate a)
{
    return a.kind == WINDOW_SWAP || a.operator != OPERATOR_NO_OP;
}

/* Whether nobody can tell in which order they happened. */
static inline bool accumulates_commute(struct accumulate a, struct accumulate b)
{
    uint32_t class = window_class(a.kind, a.operator);
    return class && class == window_class(b.kind, b.operator);
}

/* Whether `a`, which is called first, also happens first.  The flags are those of a window: WINDOW_NO_RAR ... */
static inline bool accumulates_are_ordered(uint32_t flags, struct accumulate a, struct accumulate b)
{
    uint32_t promised = (accumulate_reads(a) && accumulate_reads(b) ? WINDOW_NO_RAR : 0) |
                        (accumulate_writes(a) && accumulate_reads(b) ? WINDOW_NO_RAW : 0) |
                        (accumulate_reads(a) && accumulate_writes(b) ? WINDOW_NO_WAR : 0) |
                        (accumulate_writes(a) && accumulate_writes(b) ? WINDOW_NO_WAW : 0);
    return promised & ~flags;
}

/* Whether they may happen in either order, and somebody can tell. */
static inline bool accumulate_order_is_given_up(uint32_t flags, struct accumulate a, struct accumulate b)
{
    return !accumulates_commute(a, b) && !accumulates_are_ordered(flags, a, b);
}

#endif
