/*
 * local_touch -- a load or a store of the program itself, in memory that is in a window.
 *
 * The rank that makes it need not be the owner: every member loads from and stores to all parts of a shared window.
 * A rank does the same on the same history, so touches belong to a node, and are the same in all runs that come by.
 */
#ifndef OUTCOME_LOCAL_TOUCH_H
#define OUTCOME_LOCAL_TOUCH_H

#include "base/mem.h"
#include "call/touch.h"
#include "call/window.h"
#include "outcome/history.h"

struct local_touch {
    uint32_t before;           /* which operation of the node's segment it comes before, from 0; their number: after all of them */
    uint32_t slot;             /* of the window */
    rank_t owner;              /* whose part it is, in MPI_COMM_WORLD */
    bool stores;               /* else it loads */
    struct window_piece piece; /* as in messages: from the base of the part; of a dynamic window, an address */
    uint64_t place;            /* of the instruction, as in struct op: it is looked up as a return address is */
};

typedef VEC(struct local_touch) local_touches_t;

/* Appends what a rank has told, of so many bytes each: places that follow each other without a gap are one piece. */
void local_touches_add(local_touches_t *, const struct window_touch *, uint32_t before, uint64_t bytes);

/*
 * Who knows the touches of nodes.  Borrowed by whoever asks.
 *
 * tell: those of a node, in the order in which they were made; how many.  0: there are none, or nobody has looked.
 *
 * looked: whether all touches of windows by this node are known; else only what its rank has published of its stores is.
 *
 * told: by the program itself, which may know nothing of some: then what its rank has published counts as well, if no touch is known that stored it.
 *
 * untouched: whether it is certain that this node has touched no window at all; NULL: that is not known of any.
 */
struct local_touches {
    size_t (*tell)(void *data, node_id, const struct local_touch **);
    bool (*looked)(void *data, node_id);
    void *data;
    bool told;
    bool (*untouched)(void *data, node_id);
};

#endif
