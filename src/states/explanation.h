/*
 * explanation -- in which objects the states of ranks differ that might have been the same.
 *
 * The search merges histories after which a rank waits in the same call, having done the same since its last one, if its
 * memory is the same.  The explanation looks on: each state that is new is compared with the nearest of those that could
 * have been the same, and the objects are counted in which the two differ.
 */
#ifndef STATES_EXPLANATION_H
#define STATES_EXPLANATION_H

#include "drive/drive.h"
#include "explore/explore.h"

struct explanation;

/* Borrows the drive, of which the world tells stacks and sites (world/world.h). */
struct explanation *explanation_new(struct drive *);
void explanation_free(struct explanation *);

/* Searches, and looks on. */
struct explore_result explanation_search(struct explanation *, const struct explore_options *);

/* An object by which states differ. */
struct difference_count {
    char *name;
    const char *owner;
    uint64_t pairs;  /* of states that differ in it */
    uint64_t alone;  /* and in nothing else */
    uint64_t offset; /* of the first example, in the object */
    uint64_t a, b;   /* what is there */
};

struct explanation_sum {
    uint64_t states;   /* that were looked at */
    uint64_t compared; /* of them, with another one */
    uint64_t outside;  /* of these, the memory is the same, and only what the kernel keeps for the rank is not */
    const struct difference_count *count; /* the most frequent first; borrowed */
    size_t counts;
};
struct explanation_sum explanation_sum(struct explanation *);

#endif
