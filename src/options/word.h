/*
 * word -- single words of a command line: what they mean, or one sentence why they mean nothing.
 */
#ifndef OPTIONS_WORD_H
#define OPTIONS_WORD_H

/* `what` names the option.  Dies if it is no such number. */
long word_number(const char *text, long least, long most, const char *what);

/* Nobody knows this option; one of those that are known may have been meant.  They end with NULL. */
_Noreturn void word_refuse_option(const char *arguments, const char *const *known);

/* Which of some words was most likely meant, spelt a little differently; NULL: none.  They end with NULL. */
const char *word_guess(const char *text, const char *const *words);

#endif
