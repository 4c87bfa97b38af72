/*
 * fault -- what is wrong with a run, and when that is the same as in another.
 *
 * One finding per cause, not per run: what counts is how it ended and where in the
 * program, not which ranks it met.  A program in which ranks are stuck at the same
 * lines in another order has one defect.
 */
#ifndef DIAGNOSIS_FAULT_H
#define DIAGNOSIS_FAULT_H

#include "base/map.h"
#include "base/mem.h"
#include "diagnosis/run_view.h"

struct fault {
    struct map_key key; /* runs with equal ones go wrong in the same way */
    bool exits;         /* every rank has ended, and some like this: */
    bool finalized;
    int code;
};
typedef VEC(struct fault) faults_t;

/* Adds what is wrong with the run; nothing, if it ended well.  Quick: it is asked for every run. */
void faults_add(struct run_view *, faults_t *);

/*
 * That of a deadlock in which ranks are stuck in calls made here; `less_slack`: it needs less slack than there is;
 * `mixed`: as in struct run.
 */
struct map_key fault_deadlock_key(bool less_slack, bool mixed, const uint64_t *place, size_t n);

/* Whether a rank is one of those that ended like this. */
bool fault_exits_so(const struct fault *, struct run_view *, rank_t);

#endif
