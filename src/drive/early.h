/*
 * early -- answers that were given before they were asked for.
 *
 * The search knows what it will try next.  A copy of the rank is given that answer
 * at once and runs aside; what it does is read when the search comes to it.  Copies share files: whether one runs
 * aside must not show there (herd_run_aside).
 */
#ifndef DRIVE_EARLY_H
#define DRIVE_EARLY_H

#include "base/map.h"
#include "base/mem.h"
#include "drive/reading.h"

struct early_run {
    struct map_key answer; /* answer_key: to which node, and what */
    int animal;
    struct payload_block letter; /* in the arena: the answer, if it was long */
};

struct segment_ahead {
    VEC(struct early_run) run;
};

/* Takes out the run that was begun with this answer; false: none was. */
bool early_take(struct segment_ahead *, struct map_key answer, struct early_run *);

#endif
