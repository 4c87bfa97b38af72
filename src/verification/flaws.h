/*
 * flaws -- what was wrong with runs that ended all the same.
 *
 * If every run has some flaw, none is good; yet a run without the flaw, or the deadlock, in question
 * shows how that could have been avoided.
 */
#ifndef VERIFICATION_FLAWS_H
#define VERIFICATION_FLAWS_H

#include "base/mem.h"
#include "explore/explore.h"

struct flaws {
    struct map known; /* sums of sets -> which one */
    VEC(struct flaw_set {
        VEC(uint32_t) finding;
    }) set;
    bool none;        /* some run had none */
};

/* What is to be thought of a run with just these findings, by index; the order does not matter. */
enum visit flaws_opinion(struct flaws *, uint32_t *finding, size_t n);

/* Runs are good for explore_turning if they have no flaw; if there is no such run, if they have not this one. */
void flaws_aim(const struct flaws *, struct explorer *, uint32_t finding);

void flaws_release(struct flaws *);

#endif
