/*
 * complaint_groups -- what ranks found wrong alone (call/complaint.h), as findings.
 *
 * What several ranks say of one place in the program, or of one pair of places, is one thing.
 */
#ifndef DIAGNOSIS_COMPLAINT_GROUPS_H
#define DIAGNOSIS_COMPLAINT_GROUPS_H

#include "base/mem.h"
#include "result/policy.h"
#include "result/result.h"
#include "symbols/symbol.h"

struct complaint_group {
    const struct op *op; /* borrows: what the first of them posted */
    VEC(rank_t) ranks;   /* each once, in the order in which they complained */
};
typedef VEC(struct complaint_group) complaint_groups_t;

/* Adds a complaint to those of its kind and place. */
void complaint_groups_add(complaint_groups_t *, rank_t, const struct op *);
void complaint_groups_release(complaint_groups_t *);

/* All but its id and its run; owned by the caller. */
struct finding complaint_group_finding(const struct complaint_group *, const struct policy *, struct symbols *);

#endif
