/*
 * made_files -- files that were not there before a search, and which rank made each first.
 *
 * They stay.  A rank that is run again later, for a replay, is told that they are not there (world/original_files.h).
 */
#ifndef CALL_MADE_FILES_H
#define CALL_MADE_FILES_H

#include <stdlib.h>

#include "base/mem.h"
#include "call/op.h"

enum { MOST_MADE_FILES = 1000 }; /* of more, nobody keeps the names */

struct made_file {
    char *path; /* owns */
    rank_t rank;
};

typedef VEC(struct made_file) made_files_t;

static inline void made_file_release(struct made_file *file)
{
    free(file->path);
}

#endif
