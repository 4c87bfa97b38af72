/* shim_place -- where the shims for a library are that were made for it alone: a folder for each library, by its path. */
#ifndef LIBRARY_SHIM_PLACE_H
#define LIBRARY_SHIM_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* Says to ranks where these folders are; not set: there are none. */
#define SHIM_PLACE_ENV "TOURNEY_SHIMS"

/* FOLDER/LIBRARY, with % in place of each slash of the library's path.  False: that is too long. */
bool shim_place(char *place, size_t room, const char *folder, const char *library);

#endif
