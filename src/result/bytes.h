/*
 * bytes -- any string as UTF-8, and back.
 *
 * Names of files and programs can be any bytes, JSON can not.  A byte that is not
 * part of text is written as \xHH, and so is a backslash in front of an x, so that
 * nothing is lost and hardly any string looks different.
 */
#ifndef RESULT_BYTES_H
#define RESULT_BYTES_H

/* Both: owned by the caller. */
char *bytes_to_text(const char *);
char *bytes_of_text(const char *);

#endif
