/*
 * record -- a run of a scenario as an execution record, and what prediction makes of it.
 */
#ifndef TEST_SCENARIO_RECORD_H
#define TEST_SCENARIO_RECORD_H

#include "predict/predict.h"
#include "scenario/story.h"

/* Writes what happened to a file of this name.  All ranks have ended. */
void record_write(const char *path, const struct story *);

/* Whether a run with the same control flow can deadlock, with the buffering of the scenario. */
enum predicted record_predict(const char *path, const struct scenario *);

#endif
