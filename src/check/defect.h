/*
 * defect -- what a check has found, before anybody has looked up lines and names.
 */
#ifndef CHECK_DEFECT_H
#define CHECK_DEFECT_H

#include "base/map.h"
#include "base/mem.h"
#include "call/findings.h"
#include "call/op.h"

/* An operation that has to do with it. */
struct defect_op {
    rank_t rank;
    const struct op *op;
};

enum { DEFECT_OPS = 4 };

struct defect {
    const char *kind;     /* KIND_X of findings.table */
    const char *severity; /* NULL: that of its kind */
    struct map_key key;   /* the same cause has the same one */
    const char *sentence; /* what is wrong, in plain words */
    const char *advice;   /* what to do about it */
    char how[240];        /* what there is to say about its operations; or "" */
    uint32_t ops;
    struct defect_op op[DEFECT_OPS];
};
typedef VEC(struct defect) defects_t;

/* Of two that are at fault alike: by place, then by rank. */
bool defect_op_is_told_first(const struct defect_op *, const struct defect_op *);

/* By kind and the places of its operations. */
struct map_key defect_key(const struct defect *);

#endif
