/*
 * script -- in which function a line of a Python script is.
 *
 * Read off the indentation, which decides it; a text over several lines that begins further to the
 * left than its statement hides the function.
 */
#ifndef SYMBOLS_SCRIPT_H
#define SYMBOLS_SCRIPT_H

#include <stdbool.h>

/* False: there is no such line.  The name, owned by the caller, or NULL: it is in no function. */
bool script_find(const char *path, int line, char **function);

#endif
