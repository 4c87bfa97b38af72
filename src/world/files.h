/*
 * files -- how far a process has read and written its open files.
 *
 * The kernel keeps that, not the process, so it is not in its image.
 */
#ifndef WORLD_FILES_H
#define WORLD_FILES_H

#include <sys/types.h>

#include "base/map.h"

/* The same for two that are as far in the same files, by number.  -1: it cannot be read. */
int files_sum(pid_t, struct map_key *sum) __attribute__((warn_unused_result));

#endif
