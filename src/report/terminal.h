/*
 * terminal -- text for somebody who reads: colours and the width of the terminal.
 *
 * Where nobody reads, into a file or a pipe, the text is plain, and lines of evidence,
 * which other programs look for, are left whole; only prose is broken.
 */
#ifndef REPORT_TERMINAL_H
#define REPORT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

enum tone { TONE_PLAIN, TONE_BAD, TONE_WARN, TONE_NOTE, TONE_GOOD, TONE_STRONG };

/* That of a severity by name. */
enum tone tone_of(const char *severity);

struct terminal {
    FILE *out; /* borrows */
    bool colour;
    int columns; /* where lines of evidence are broken; 0: nowhere */
    int prose;   /* where prose is */
};

/* Automatically there are colours on a terminal, unless NO_COLOR is set or it is a dumb one. */
struct terminal terminal_of(FILE *, enum colour);

/* A paragraph; `head` stands before its first line, and under that its lines begin. */
void terminal_say(const struct terminal *, const char *head, enum tone, const char *text);

/* What can be typed, never broken; on a line of its own if there is no room behind `head`. */
void terminal_offer(const struct terminal *, const char *head, const char *command);

/* Lines of evidence, the first of which says what it is about. */
void terminal_show(const struct terminal *, enum tone of_first, const char *lines);

#endif
