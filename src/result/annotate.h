/*
 * annotate -- findings as lines that GitHub shows beside the source.
 */
#ifndef RESULT_ANNOTATE_H
#define RESULT_ANNOTATE_H

#include "result/result.h"

/* A line for each; owned by the caller. */
char *annotate_print(const struct result *);

#endif
