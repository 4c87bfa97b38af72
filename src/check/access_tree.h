/*
 * access_tree -- ranges of bytes, and which of them a given one overlaps.
 *
 * A treap by where ranges begin, with the furthest end below each node: looking costs the logarithm of their number, and what is found.
 */
#ifndef CHECK_ACCESS_TREE_H
#define CHECK_ACCESS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct access_range {
    uint64_t from, until;
    uint32_t access; /* whose it is */
};

struct access_node {
    struct access_range range;
    uint64_t furthest;
    uint32_t left, right; /* 1 + the node; 0: none */
    uint32_t priority;
};

/* All zero is empty. */
struct access_tree {
    VEC(struct access_node) node;
    uint32_t root;
};

void access_tree_add(struct access_tree *, struct access_range);

/* Each that has a byte in common with it.  What it is told of may be changed, save where it lies. */
void access_tree_each(struct access_tree *, uint64_t from, uint64_t until, void (*)(void *, struct access_range *), void *);

/* Those for which that is true stay. */
void access_tree_keep(struct access_tree *, bool (*)(void *, const struct access_range *), void *);

void access_tree_release(struct access_tree *);

#endif
