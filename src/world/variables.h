/*
 * variables -- reads what an executable says of its variables (call/variables.h).
 */
#ifndef WORLD_VARIABLES_H
#define WORLD_VARIABLES_H

/* A descriptor of the file that ranks map, to be closed by the caller; -1: there is nothing to tell. */
int variables_make(const char *executable);

#endif
