/*
 * input_lines -- the arguments with which the program gets an input (--inputs).
 *
 * @@ in an argument stands for the path of the input's file, and an argument that is @@args for the words in that file, as a shell would split
 * them.  If neither is there, the input is standard input.
 */
#ifndef OPTIONS_INPUT_LINES_H
#define OPTIONS_INPUT_LINES_H

#include <stdint.h>

#include "options/argument_lines.h"

/* False: these bytes cannot be words. */
bool input_line_make(struct argument_line *, char *const *argv, const char *path, const uint8_t *input, size_t bytes);

#endif
