/*
 * reliance -- programs that are right only as long as MPI does more than it must.
 *
 * A run that goes wrong, and could not if every collective waited for all, or every poll said
 * yes as soon as it can, shows it; one that goes wrong anyway shows that there is more to it.
 */
#ifndef CHECK_RELIANCE_H
#define CHECK_RELIANCE_H

#include "check/defect.h"
#include "explore/explore.h"

/* A defect, and a run that goes wrong by it (explore_step_account). */
struct relied {
    struct defect defect;
    uint32_t step;
};
typedef VEC(struct relied) relied_t;

struct reliances {
    struct reliance_kind {
        bool refuted;
        relied_t relied; /* each place once */
    } collectives, polls;
};

/* A run goes wrong.  During its visit. */
void reliances_see(struct reliances *, struct explorer *, const struct run *);

/* Adds what the whole search has not refuted. */
void reliances_add(const struct reliances *, relied_t *);
void reliances_release(struct reliances *);

#endif
