/*
 * said -- the options of the commands that run a program, as they were given.
 *
 * Which of them a command has a use for, and what it makes of them, is in options.c.
 */
#ifndef COMMAND_SAID_H
#define COMMAND_SAID_H

#include "command/options.h"

struct run_options said_nothing(int hang_timeout);

/* Adds to what was said.  `letters` as for getopt: whether options may follow the other words, which are then in world.argv. */
void said_add(struct run_options *, int argc, char **argv, const char *letters);

#endif
