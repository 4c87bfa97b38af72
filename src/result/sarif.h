/*
 * sarif -- a result in the form that code scanners and editors read, SARIF 2.1.0.
 *
 * A finding is a result, its kind a rule.  What led to it is a code flow with one
 * thread for each rank: the decisions in their order, then where ranks are stuck.
 */
#ifndef RESULT_SARIF_H
#define RESULT_SARIF_H

#include "result/result.h"

/* Owned by the caller.  Files below the working directory of the search are named from there. */
char *sarif_print(const struct result *);

#endif
