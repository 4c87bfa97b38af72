/*
 * follow -- ranks followed step by step, so that histories which differ in nothing that counts are one (flow/relevance.h).
 *
 * A history that is found to be like an earlier one is told to join that (explore/runner.h).
 */
#ifndef DRIVE_FOLLOW_H
#define DRIVE_FOLLOW_H

#include "drive/checkpoint.h"
#include "drive/reading.h"
#include "flow/relevance.h"
#include "world/herd.h"

/* As it is handed to the search. */
struct followed_node {
    struct map_key image;
    uint64_t *contents; /* owns */
};

struct follow {
    struct relevance *relevance; /* owns */
    struct trace trace;          /* of the segment in hand */
    bool stopped;                /* somebody is, and waits for being answered */
    bool traced;
    VEC(struct followed_node) node;
    node_id told; /* the node told last, and what it was told to be */
    node_id told_as;
};

/* Dies on machines whose instructions are not known. */
void follow_open(struct follow *, const struct herd *);
void follow_close(struct follow *);

/* One that sleeps will be answered; was answered. */
void follow_stop(struct follow *, struct herd *, int animal);
void follow_run(struct follow *, struct herd *, int animal);

/* For how many steps ranks were followed so far. */
uint64_t follow_steps(const struct follow *);

/* The segment that was run, as the search is to see it.  `outside`: what the kernel keeps for the rank. */
void follow_tell(struct follow *, struct herd *, struct checkpoints *, int animal, node_id from, node_id to,
                 const struct reading *, struct map_key outside, struct segment *);

/* The search has taken a node for another one. */
void follow_same(struct follow *, node_id, node_id as);

/* A node that is not what it was told to be; NODE_NONE: there is none. */
node_id follow_withdrawn(struct follow *);

#endif
