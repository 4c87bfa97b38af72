/*
 * checkpoint -- what the drive knows of a node: how the rank came there, what it did,
 * who sleeps there, and where the payloads that it brought lie.
 *
 * A node that was adopted from an earlier session has no payloads until a process
 * has come there again.
 */
#ifndef DRIVE_CHECKPOINT_H
#define DRIVE_CHECKPOINT_H

#include "base/mem.h"
#include "drive/payloads.h"

struct checkpoint {
    rank_t rank;
    node_id parent;
    const struct ret *ret;         /* borrows: what led here from the parent; NULL: the beginning */
    int animal;                    /* asleep here; -1: none */
    uint64_t used;                 /* when it was last gone on from */
    bool passing;                  /* whoever is asleep here was on the way to somewhere else */
    bool by_copy;                  /* it was a copy that came here first */
    bool unborn;                   /* nobody has started the rank yet, so nobody sleeps here (births.h) */
    bool ended;                    /* the rank has, so nobody sleeps here who did not from the start */
    bool polls;                    /* its call is a poll */
    bool open;                     /* its call can be answered in different ways */
    uint32_t answers;              /* known so far */
    uint64_t sum;                  /* hash of the segment, to compare it when it is run again */
    uint64_t shape;                /* the same without what messages contain */
    enum doubt traces;             /* of one that ended: that it has left some, where others may find them */
    int code;                      /* the code with which it ended */
    uint32_t brings;               /* operations with a payload */
    struct payload *payload;       /* in `payloads`: those; NULL: not here */
    uint64_t sought;               /* in vain, when the drive had run so many segments, and one; 0: not */
    const uint32_t *called;        /* in a hoard: by operation, from where, a number of the drive's stacks; NULL: not told */
    uint32_t calls;                /* so many */
    const struct local_touch *touched; /* in a hoard: what its segment loaded and stored in windows; NULL: nothing, or not told */
    uint32_t touches;              /* so many */
    bool is_looked_at;             /* there are no others */
    bool is_untouched;             /* and there are none at all */
    uint32_t files;                /* so many changes of files, and one, had been made when the way first led here; 0: nobody came here */
    uint32_t wilds;                /* so many */
    const uint32_t *wild;          /* in a hoard: requests, receives that may bring this or that, and are not complete */
};

/* By node; most of it lies on disk when it is much. */
struct checkpoints {
    VEC(struct checkpoint) at;
    struct payloads payloads; /* and, in its hoard, lists of nodes */
    VEC(uint32_t) wild;       /* scratch */
};
void checkpoints_release(struct checkpoints *);

/* Adds a node, one answer to `from`.  May move the others. */
struct checkpoint *checkpoints_add(struct checkpoints *, rank_t, node_id from, const struct ret *, node_id to);
void checkpoint_learn(struct checkpoints *, struct checkpoint *, const struct segment *);
void checkpoint_keep(struct checkpoints *, struct checkpoint *, const struct reading *); /* takes its payloads */
void checkpoint_drop(struct checkpoints *, struct checkpoint *);                         /* gives them back */
void checkpoint_note_calls(struct checkpoints *, struct checkpoint *, const struct reading *);

static inline struct checkpoint *checkpoint_of(const struct checkpoints *checkpoints, node_id node)
{
    return &checkpoints->at.at[node];
}

static inline bool checkpoint_lacks_payloads(const struct checkpoint *checkpoint)
{
    return checkpoint->brings && !checkpoint->payload;
}

/* Where a payload of a node that has them lies in the arena. */
uint64_t payload_offset(struct checkpoints *, uint64_t name);

#endif
