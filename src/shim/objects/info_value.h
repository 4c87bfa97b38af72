/*
 * info_value -- what an info object says under a key.
 */
#ifndef SHIM_OBJECTS_INFO_VALUE_H
#define SHIM_OBJECTS_INFO_VALUE_H

#include "shim/shim.h"

/* Whether there is a key. */
bool info_has(MPI_Info, const char *key);

/* Whether a key, of a short value, has this one.  MPI_INFO_NULL says nothing. */
bool info_says(MPI_Info, const char *key, const char *wanted);

/* Whether the value of a key, a list with commas, has this word; true of a key that is not there. */
bool info_keeps(MPI_Info, const char *key, const char *word);

/* What accumulate_ordering does without: WINDOW_NO_RAR ... (call/window.h). */
uint32_t info_order_given_up(MPI_Info);

#endif
