/*
 * choices -- what --choose says: NAME=A..B.
 */
#ifndef OPTIONS_CHOICES_H
#define OPTIONS_CHOICES_H

#include "options/argument_lines.h"
#include "options/arguments.h"

/* As ranks are told it (WIRE_ENV_CHOICES), to be freed; NULL: nothing was said.  Ends with a sentence if one is not a choice. */
char *choices_join(const argument_list *);

/* The arguments for each combination of numbers whose names stand in braces there; none: there are no such names. */
argument_lines_t choices_lines(const argument_list *, char *const *argv);

#endif
