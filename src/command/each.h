/*
 * each -- the argument lines of --each-args.
 *
 * One line is one way to start the program: words as a shell would split them, with
 * quotes and backslashes but no substitution.  Empty lines and those that begin with #
 * are left out.
 */
#ifndef COMMAND_EACH_H
#define COMMAND_EACH_H

#include "base/mem.h"

struct each_line {
    char *text;  /* owns; as it stands in the file */
    char **argv; /* owns, with its words; the program and its own arguments first, NULL at the end */
};
typedef VEC(struct each_line) each_lines_t;

/* Behind the words of `argv`.  Dies with a sentence if it cannot. */
each_lines_t each_read(const char *file, char *const *argv);
void each_release(each_lines_t *);

#endif
