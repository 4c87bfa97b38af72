/*
 * line -- the text of a scenario as lines, and a line as cells.
 *
 * Only views: nothing but trimmed() copies text.  The words of a cell are lex.h's.
 */
#ifndef SCENARIO_LINE_H
#define SCENARIO_LINE_H

#include <stdbool.h>
#include <stdint.h>

struct scenario_line {
    const char *begin, *end; /* without a comment */
    uint32_t number;         /* from 1 */
};

/* The line at `at`, which goes on to the one after it; line->number is 0 before the first. */
bool line_next(const char **at, const char *end, struct scenario_line *);

/* Up to the next '|', or all that is left. */
const char *cell_end(const char *at, const char *end);

/* Whether it is only for the eye: of '-', with '+' and '|'. */
bool line_is_rule(const struct scenario_line *);

/* What stands behind `title`; NULL: the line is none. */
const char *line_title(const struct scenario_line *);

/* A copy without space at its end, which the caller frees. */
char *trimmed(const char *from, const char *end);

#endif
