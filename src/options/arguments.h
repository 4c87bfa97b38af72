/*
 * arguments -- a command line, read by the table of options.
 *
 * A command asks for what was said to it, and finds in struct arguments a member for each option
 * (options.table) and the other words.  Whatever makes no sense is one sentence and the end.
 */
#ifndef OPTIONS_ARGUMENTS_H
#define OPTIONS_ARGUMENTS_H

#include "options/option_table.h"

/* `argv[0]` is the command.  Help is told at once. */
struct arguments arguments_for(enum command_id, int argc, char **argv);

/*
 * The same for a command of two forms, which only what was said tells apart: options of either are
 * taken, and then it is settled which form it is.
 */
struct arguments arguments_for_either(enum command_id, enum command_id other, int argc, char **argv);
void arguments_settle(const struct arguments *, enum command_id);
/* Options may stand behind the first word, which is kept; further words are `surplus`, a sentence. */
void arguments_settle_behind_word(struct arguments *, enum command_id, const char *surplus);

/* A word such as "--emit=dot", which is complete by itself, and belongs to this command's own options. */
bool arguments_is_option_at_home(const char *word, enum command_id);

void arguments_release(struct arguments *);

#endif
