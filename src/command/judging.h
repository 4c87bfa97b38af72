/*
 * judging -- the options that say what becomes of findings.
 */
#ifndef COMMAND_JUDGING_H
#define COMMAND_JUDGING_H

#include "command/said.h"
#include "result/policy.h"

/* Of -W and --suppressions; owned by the caller.  Dies with a sentence if something makes no sense. */
struct policy judging_policy(const struct said *);

/* The text of a file, owned by the caller; dies with a sentence. */
char *judging_read(const char *file);

#endif
