/*
 * input -- standard input that can be read again by every process that is started in place of rank 0.
 *
 * A file can be opened again.  What comes through a pipe comes once, so it is put into memory first, all of it, and
 * standard input is that from then on.
 */
#ifndef WORLD_INPUT_H
#define WORLD_INPUT_H

#include <stdbool.h>

/*
 * Waits for the end of a pipe, but not for its beginning: a pipe that somebody holds open and nothing comes from is no input,
 * which is said unless `quiet`.  Dies if there is too much.
 */
void input_keep(bool quiet);

/* A new descriptor that is where standard input is; -1: it is nothing that can be read again. */
int input_reopen(void);

#endif
