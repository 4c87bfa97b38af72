/*
 * file_base -- files as they were before the search (call/file_store.h), and whether what is on the disk now is of the search.
 *
 * What is on the disk is the program's, as far as the program has changed it by other means than MPI: then it is what counts from there on.
 */
#ifndef SHIM_FILE_FILE_BASE_H
#define SHIM_FILE_FILE_BASE_H

#include <stdbool.h>
#include <stdint.h>

#include "call/file_store.h"

/* A file is about to be opened for writing: what is there is kept, unless that was done already.  True: and the program has changed it since. */
bool file_base_keep(const char *path);

/* An MPI call has written to the file on the disk, or made it. */
void file_base_mark(const char *path);

/* How it was; false: it is on the disk as it was. */
bool file_base_find(const char *path, struct file_base_record *);
/* Bytes of it; what was not there is zero. */
void file_base_read(const char *path, void *to, uint64_t at, uint64_t bytes);

#endif
