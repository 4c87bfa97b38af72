/*
 * takers -- ranks that do not leave a message waiting for good (L19).
 *
 * Who is held up by a standard send is waiting for its receiver.  For a deadlock, the receiver has to stand in a call that does not take the message.
 * A rank that only receives from any source never does, however many senders there are and in whichever order they come; nor does one that has
 * received all before it waits for something else.  That is read off the histories of the receiver (tree.h), and
 * spares the question what would be if the sender stayed where it is (slack_safety.h).
 *
 * What is said is of the histories that are known.  It is found out for all nodes of a rank at once, and anew when the tree has grown.
 */
#ifndef EXPLORE_TAKERS_H
#define EXPLORE_TAKERS_H

#include "explore/tree.h"

/* A message, as those who receive it see it. */
struct envelope {
    rank_t to, from;
    context_t context;
    int tag;
};

/* What is known of one. */
struct taking {
    struct envelope envelope;
    size_t nodes, parents; /* so many had the tree; none: nothing was found out yet */
    uint8_t *mark;         /* owns; by node */
};

/* All zero is empty. */
struct takers {
    VEC(struct taking) at;
    VEC(node_id) above; /* scratch */
    uint64_t work;      /* nodes that were looked at, for all questions */
};
void takers_release(struct takers *);

/*
 * Whether the receiver of a message, at this node and wherever it may stand below it, could take the message, or posts no receive any more that it
 * fits.  False also where that is not looked into, or if to find out would be more than `most_work` in all.
 */
bool takers_take(struct takers *, const struct tree *, node_id, const struct envelope *, uint64_t most_work);

#endif
