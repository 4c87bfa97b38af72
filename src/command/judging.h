/*
 * judging -- the options that say what becomes of findings.
 */
#ifndef COMMAND_JUDGING_H
#define COMMAND_JUDGING_H

#include "command/options.h"

/* Both die with a sentence if something makes no sense. */
void judging_add_opinion(struct judging *, const char *text);
void judging_add_suppressions(struct judging *, const char *file);

bool judging_is_asked_for(const struct judging *);
bool judging_goes_further(const struct judging *); /* than how bad a kind is */

/* The text of a file, owned by the caller; dies with a sentence. */
char *judging_read(const char *file);

#endif
