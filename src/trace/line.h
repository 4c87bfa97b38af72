/*
 * line -- a line of text that grows; all zero is empty, vec_release ends it.
 */
#ifndef TRACE_LINE_H
#define TRACE_LINE_H

#include <stddef.h>
#include <stdint.h>

struct line {
    char *at; /* owns; ends with a zero once something was added */
    size_t n, cap;
};

void line_add(struct line *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Text of the user's: what a terminal would take for a command, or cannot show, becomes \xNN. */
void line_add_clean(struct line *, const char *text);
/* The same, alone; the caller frees it. */
char *clean_text(const char *text);

/* 0-3,7,9; not more than fits in a line. */
void line_add_list(struct line *, const uint32_t *number, size_t n);

/* Spaces, until what was added from `from` on is `width` characters wide. */
void line_pad(struct line *, size_t from, size_t width);

#endif
