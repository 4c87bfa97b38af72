/*
 * reach -- which messages histories below a node send.
 *
 * All nodes above one that sends something know of it.  A rank that goes a long way alone has thousands of nodes one below the other, and to tell each of
 * them of each new message would take the square of that.  So nodes that hang on each other, each being the first child of the one before, are a stretch, which
 * knows for each message only how far down it is sent: whoever is above that knows.  Beyond a stretch something is told
 * only when its first node, or one that has further parents, comes to know of it.
 *
 * (reaches.c; the functions are those of tree.h.)  A place in a stretch is twice the depth of a node (struct node) for what the node itself sends, and one more for what is sent below it in another stretch.
 */
#ifndef EXPLORE_REACH_H
#define EXPLORE_REACH_H

#include "base/map.h"
#include "base/mem.h"
#include "outcome/history.h"

/* Messages to one rank on one context; tags as a set, modulo 64. */
struct reach {
    uint32_t mailbox;
    uint32_t place;   /* the deepest at which these are sent, as far as a stretch goes */
    uint64_t tags;    /* none: it is free, for the same mailbox */
    uint32_t more;    /* of the same stretch and mailbox; 0: none */
    uint32_t next;    /* of the same stretch; 0: none */
};

/* A node that has further parents, beside the one above it in its stretch. */
struct joint {
    node_id node;
    uint32_t next; /* of the same stretch; 0: none */
};

struct stretch_of_nodes {
    node_id first, last;
    uint32_t reach, joint; /* the latest of each; 0: none */
};

/* Something that is yet to be told. */
struct reach_news {
    uint32_t stretch, mailbox, place;
    uint64_t tags;
};

/* All zero is empty. */
struct reaches {
    VEC(struct stretch_of_nodes) stretch; /* these from 1 */
    VEC(struct reach) reach;
    VEC(struct joint) joint;
    struct map by_mailbox;       /* stretch and mailbox -> the first of its reaches */
    VEC(struct reach_news) news; /* scratch */
};

#endif
