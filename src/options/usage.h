/*
 * usage -- what tourney answers to a command line by itself: help, and that it makes no sense.
 */
#ifndef OPTIONS_USAGE_H
#define OPTIONS_USAGE_H

extern const char usage[]; /* the help of tourney as a whole, from options.table */

/* Prints an answer, which is worth nothing if it does not arrive; returns 0. */
int tell(const char *text);

/* Dies with this sentence, and says where there is help. */
_Noreturn void misuse(const char *what);

#endif
