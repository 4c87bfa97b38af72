/*
 * junit -- a result in the form that build servers read, JUnit XML.
 *
 * The program is the suite, a finding a test: one that failed if it is an error, and
 * else one that passed and says something.  If none failed, one more test stands for
 * all runs; it is an error, not a pass, if not all was looked at.
 */
#ifndef RESULT_JUNIT_H
#define RESULT_JUNIT_H

#include "result/result.h"

/* Owned by the caller. */
char *junit_print(const struct result *);

#endif
