/*
 * files -- which files a process has open, how, and how far it has read and written them.
 *
 * The kernel keeps that, not the process, so it is not in its image.  It tells of each descriptor the file, the flags
 * and the place; of some kinds the contents, too, such as the count of an eventfd.
 */
#ifndef WORLD_FILES_H
#define WORLD_FILES_H

#include <sys/types.h>

#include "base/map.h"

/* How often the process has read from any.  -1: the kernel does not count. */
int files_count_reads(pid_t, uint64_t *reads) __attribute__((warn_unused_result));

/* The same for two that have the same open, by number.  -1: it cannot be read. */
int files_sum(pid_t, struct map_key *sum) __attribute__((warn_unused_result));

#endif
