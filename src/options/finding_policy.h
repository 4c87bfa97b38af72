/*
 * finding_policy -- what the options say shall become of findings.
 */
#ifndef OPTIONS_FINDING_POLICY_H
#define OPTIONS_FINDING_POLICY_H

#include "options/arguments.h"
#include "result/policy.h"

/* Of -W and --suppressions; owned by the caller.  Dies with a sentence if something makes no sense. */
struct policy finding_policy_of(const struct arguments *);

#endif
