/*
 * defect -- what a check has found, before anybody has looked up lines and names.
 */
#ifndef CHECK_DEFECT_H
#define CHECK_DEFECT_H

#include "base/map.h"
#include "base/mem.h"
#include "call/findings.h"
#include "call/op.h"
#include "outcome/local_touch.h"

/* An operation that has to do with it; or a load or store of the program itself, for which one was made up. */
struct defect_op {
    rank_t rank;
    const struct op *op;
    bool is_touch;
    struct local_touch touch; /* then, and which operation of its rank it comes before, by number in the rank */
    uint32_t before;
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
