/*
 * argument_lines -- ways to start the program, each of which is searched.
 *
 * Of --each-args one line is one: words as a shell would split them, with
 * quotes and backslashes but no substitution.  Empty lines and those that begin with #
 * are left out.
 */
#ifndef OPTIONS_ARGUMENT_LINES_H
#define OPTIONS_ARGUMENT_LINES_H

#include <stdbool.h>

#include "base/mem.h"

struct argument_line {
    char *text;  /* owns; as it stands in the file */
    char **argv; /* owns, with its words; the program and its own arguments first, NULL at the end */
    char *nodes; /* owns; the layout of nodes (node_layouts.h); NULL: that of all lines */
    char *input; /* owns; the file of an input (input_lines.h); NULL: none is meant */
    bool is_standard_input; /* and it comes as such */
    int node_ranks; /* with `nodes`: so many ranks are on each */
};
typedef VEC(struct argument_line) argument_lines_t;

/* Behind the words of `argv`.  Dies with a sentence if it cannot. */
argument_lines_t argument_lines_read(const char *file, char *const *argv);
void argument_line_release(struct argument_line *);
void argument_lines_release(argument_lines_t *);

#endif
