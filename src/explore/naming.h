/*
 * naming -- what types and communicators are called in a run.
 *
 * Ranks say it among their other operations, once, most likely long before somebody asks; so
 * all of them are looked through when the first name is asked for, and never again.
 */
#ifndef EXPLORE_NAMING_H
#define EXPLORE_NAMING_H

#include "outcome/account.h"
#include "explore/tree.h"

struct naming {
    bool known;
    struct map at;             /* rank, kind and number -> the last in `op` */
    VEC(const struct op *) op; /* borrows: of the tree */
};

void naming_clear(struct naming *); /* the run is another one */
void naming_release(struct naming *);

const struct op *naming_find(struct naming *, const struct tree *, const struct trail *, int ranks, rank_t,
                             enum op_kind, uint64_t number); /* NULL: none */

#endif
