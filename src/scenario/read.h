/*
 * read -- a scenario from a file.
 */
#ifndef SCENARIO_READ_H
#define SCENARIO_READ_H

#include "scenario/scenario.h"

/* Dies with one sentence, "FILE:LINE:COLUMN: what is wrong", if it cannot. */
void scenario_read(struct scenario *, const char *path);

#endif
