/*
 * words -- a line split as a shell would, with quotes and backslashes but no substitution.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

/* The words of `first`, if it is not NULL, and then those of the line, NULL at the end; NULL: a quote is not closed. */
char **words_split(const char *line, char *const *first);
void words_free(char **);

#endif
