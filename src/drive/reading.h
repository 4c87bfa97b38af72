/*
 * reading -- what a rank does from one answer to the next, as its process tells it.
 *
 * Payloads go by names.  An operation handed to the search carries the node it
 * belongs to and which of the payloads brought there is its own, so that it has a
 * name, always the same, even while nobody has the bytes (checkpoint.h).
 */
#ifndef DRIVE_READING_H
#define DRIVE_READING_H

#include "base/mem.h"
#include "drive/stacks.h"
#include "drive/touches.h"
#include "explore/runner.h"
#include "world/herd.h"

/* Of the arena. */
struct payload_block {
    uint64_t at, bytes;
    uint64_t sum; /* of a payload: a hash of its contents */
};

/* The segment read last; all zero is none. */
struct reading {
    VEC(char) ops;
    VEC(uint64_t) contents;
    VEC(struct payload_block) payload; /* in the order of the operations that brought them */
    VEC(uint64_t) origin;              /* of each: where the rank had put it, in the shared memory */
    uint32_t count;
    struct stacks *stacks;     /* borrows: of all segments; NULL: nobody wants to know */
    VEC(uint32_t) called;      /* if so, by operation: from where, a number of these */
    struct touches *touches;   /* borrows: the same of loads and stores in windows */
    local_touches_t touched;
    bool touched_unseen;       /* there were more */
    bool touched_any;          /* there were some, of which not all need be in `touched` */
    int64_t told;  /* microseconds, on the clock: when it last told of an operation */
    uint32_t stop; /* if ranks go step by step: after so many operations it is left asleep; 0: nowhere */
};
void reading_release(struct reading *);

/* Reads what the running animal does until it sleeps or ends; the node will be called `node`. */
struct segment reading_take(struct reading *, struct herd *, int animal, node_id node);
/* The same of one that is no process: begins anew; adds an operation, whose payload lies in the arena; what that comes to. */
void reading_begin(struct reading *);
void reading_add(struct reading *, struct memory *, const struct op *, node_id node);
struct segment reading_segment(const struct reading *, enum segment_end, int code);
/* Gives its payloads back. */
void reading_drop(struct reading *, struct herd *);

/* What must be the same when it is run again: everything but where payloads lie. */
uint64_t segment_sum(const struct segment *);
/* Of that, what the rank called: not what is in its messages, which may be the time of day. */
uint64_t segment_shape(const struct segment *);

/* Copies of what a segment borrows: it borrows these from now on, until they are released or used for another one. */
struct kept_segment {
    VEC(char) ops;
    VEC(uint64_t) contents;
};
void segment_keep(struct kept_segment *, struct segment *);
void kept_segment_release(struct kept_segment *);

#endif
