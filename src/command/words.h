/*
 * words -- single words of a command line: what they mean, or one sentence why they mean nothing.
 */
#ifndef COMMAND_WORDS_H
#define COMMAND_WORDS_H

#include <getopt.h>

#include "report/terminal.h"

/* `what` names the option.  All die if it is not one of these. */
long word_number(const char *text, long least, long most, const char *what);
unsigned word_of_three(const char *text, const char *const word[3], const char *what);
enum colour word_colour(const char *text);

/* After getopt_long said that it does not know an option (c is '?') or that its value lacks (':'). */
_Noreturn void word_refuse_option(int c, char *const *argv, const struct option *);

/* Which of some words was most likely meant, spelt a little differently; NULL: none.  They end with NULL. */
const char *word_guess(const char *text, const char *const *words);

#endif
