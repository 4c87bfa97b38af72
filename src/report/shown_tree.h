/*
 * shown_tree -- the tree of decisions of a search, in words.
 */
#ifndef REPORT_SHOWN_TREE_H
#define REPORT_SHOWN_TREE_H

#include "report/explored.h"
#include "report/symbol.h"
#include "result/shown_tree.h"

/* A run that showed a finding. */
struct shown_end {
    uint32_t step;    /* as in struct run */
    uint32_t finding; /* its id */
    bool held;        /* on the way, if MPI buffers less */
};

/* After the search, with the account of some run.  Owned by the caller. */
struct shown_tree shown_tree_make(struct explored *, struct symbols *, const struct shown_end *, size_t n);

#endif
