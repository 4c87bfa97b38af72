/*
 * parse -- a scenario from its text (doc/scenario.md).
 */
#ifndef SCENARIO_PARSE_H
#define SCENARIO_PARSE_H

#include "scenario/lex.h"
#include "scenario/scenario.h"

/* 0, or -1 with where and why (the caller frees the sentence); then there is nothing to release. */
int scenario_parse(struct scenario *, const char *text, size_t length, struct scenario_mistake *)
    __attribute__((warn_unused_result));

#endif
