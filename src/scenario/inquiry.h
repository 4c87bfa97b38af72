/*
 * inquiry -- what all runs of a scenario say about its claims.
 */
#ifndef SCENARIO_INQUIRY_H
#define SCENARIO_INQUIRY_H

#include "scenario/claim.h"
#include "scenario/runner.h"

struct inquiry_options {
    uint64_t max_runs; /* 0: no bound */
    double seconds;    /* 0: no bound */
};

struct finding_of_claim {
    bool seen[2];   /* that it does not hold; that it does: in some run */
    char *shown[2]; /* owns; such a run, drawn; NULL: none */
};

struct inquiry {
    VEC(struct finding_of_claim) claims;
    struct explore_result result;
    uint64_t stuck; /* runs that are */
};

void inquiry_make(struct inquiry *, const struct scenario *, const struct inquiry_options *);
void inquiry_release(struct inquiry *);

/* MODALITY_NONE: that is not known, for not all runs were seen. */
enum modality inquiry_answer(const struct inquiry *, size_t claim);

/* How a run ended, during its visit. */
struct ending scenario_ending(const struct scenario_runner *, const struct run *);

#endif
