/*
 * check -- all that can happen in a model: an explicit search of its states.
 *
 * What can happen is decided by src/sem, as for programs; what the ranks do is read off
 * the model, so no process runs.  States are kept by their digests.
 */
#ifndef MODEL_CHECK_H
#define MODEL_CHECK_H

#include "model/model.h"

struct check_result {
    uint64_t states, steps; /* a step leads from one state to another */
    double seconds;
    uint32_t left;          /* LEFT_*: what was left out; LEFT_RUNNER: the model lacks an answer */
    model_outcomes_t outcome; /* each once; to be released */
};

/*
 * Without reduction, every order of posting, matching and returning is gone through, step by
 * step, and, with any slack, every choice of buffering; with it, as the search of programs does.
 */
struct check_result check_model(const struct model *, bool reduced, uint64_t max_runs, double seconds);

#endif
