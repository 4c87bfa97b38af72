/*
 * file_facts -- what is told of files besides their bytes: where they are, and whether two ranks write the same (call/file_use.h).
 */
#ifndef SHIM_OBJECTS_FILE_FACTS_H
#define SHIM_OBJECTS_FILE_FACTS_H

#include <limits.h>

#include "shim/objects/type.h"

/* The whole path of what the program has named so, in `room` or as it is.  Files are one if their paths are. */
const char *file_whole_path(const char *name, char room[PATH_MAX]);

/* Any two sums of what is written differ as a rule if the bytes do; 0 stands for none. */
uint32_t file_written_sum(const void *buf, MPI_Count count, const struct type *);

#endif
