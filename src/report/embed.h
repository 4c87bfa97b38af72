/*
 * embed -- JSON inside a page of HTML.
 *
 * What is printed here never holds a '<', so that nothing in it can end the element
 * it stands in; in JSON that character can only be part of a string.
 */
#ifndef REPORT_EMBED_H
#define REPORT_EMBED_H

#include <stdio.h>

/* JSON as it is. */
void embed_json(FILE *, const char *json);

/* A text as a JSON string; bytes that are no part of text are shown as such. */
void embed_string(FILE *, const char *text);

/* The same for a name, written as in a result (bytes.h). */
void embed_name(FILE *, const char *bytes);

#endif
