/*
 * trial -- a program once, with some input: what it has shown.
 *
 * The run is one as `tourney run` makes it, with ranks that note which code they run (call/coverage.h).  It says nothing about other runs
 * with this input: that is for the search.
 */
#ifndef INPUTS_TRIAL_H
#define INPUTS_TRIAL_H

#include "inputs/observation.h"
#include "world/world.h"

struct input_trial {
    struct world_options world; /* argv is that of the next run */
    int memory;                 /* a file, and what it contains: an area for each rank */
    char *areas;
    size_t bytes;
    int signal;                 /* one that asked tourney to end */
};

/* Dies with a sentence if it cannot. */
void input_trial_open(struct input_trial *, const struct world_options *);
void input_trial_run(struct input_trial *, struct observation *);
void input_trial_close(struct input_trial *);

#endif
