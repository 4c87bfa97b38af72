/*
 * text_file -- the text of a file that an option names.
 */
#ifndef OPTIONS_TEXT_FILE_H
#define OPTIONS_TEXT_FILE_H

/* Owned by the caller.  Dies with a sentence if it cannot be read, or is not text. */
char *text_file_read(const char *file);

#endif
