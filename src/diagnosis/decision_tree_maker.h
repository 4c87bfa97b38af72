/*
 * decision_tree_maker -- the tree of decisions of a search, in words.
 */
#ifndef DIAGNOSIS_DECISION_TREE_MAKER_H
#define DIAGNOSIS_DECISION_TREE_MAKER_H

#include "diagnosis/run_view.h"
#include "result/decision_tree.h"
#include "symbols/symbol.h"

/* A run that showed a finding. */
struct tree_end {
    uint32_t step;    /* as in struct run */
    uint32_t finding; /* its id */
    bool held;        /* on the way, if MPI buffers less */
};

/* After the search, with the account of some run.  Owned by the caller. */
struct decision_tree decision_tree_make(struct run_view *, struct symbols *, const struct tree_end *, size_t n);

#endif
