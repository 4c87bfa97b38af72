/*
 * print -- a scenario as text, in the form that is parsed.
 */
#ifndef SCENARIO_PRINT_H
#define SCENARIO_PRINT_H

#include <stdio.h>

#include "scenario/scenario.h"

void scenario_print(const struct scenario *, FILE *);

/* One statement, without indentation; the caller frees it. */
char *statement_text(const struct scenario *, rank_t, const struct statement *);

/* A line of cells, one for each column, so wide; NULL: empty. */
void print_row(FILE *, int columns, char *const *cell, const size_t *width);

#endif
