/*
 * complained -- what ranks found wrong alone (call/complaint.h), as findings.
 *
 * What several ranks say of one place in the program is one thing.
 */
#ifndef REPORT_COMPLAINED_H
#define REPORT_COMPLAINED_H

#include "base/mem.h"
#include "report/symbol.h"
#include "result/policy.h"
#include "result/result.h"

struct complained {
    const struct op *op; /* borrows: what the first of them posted */
    VEC(rank_t) ranks;   /* each once, in the order in which they complained */
};
typedef VEC(struct complained) complained_t;

/* Adds a complaint to those of its kind and place. */
void complained_add(complained_t *, rank_t, const struct op *);
void complained_release(complained_t *);

/* All but its id and its run; owned by the caller. */
struct finding complained_finding(const struct complained *, const struct policy *, struct symbols *);

#endif
