/*
 * segments -- files of shared memory that MPI libraries make for their ranks, and leave if these are killed.
 */
#ifndef WORLD_SEGMENTS_H
#define WORLD_SEGMENTS_H

#include <sys/types.h>

#include "base/mem.h"

typedef VEC(char *) segments_t; /* paths; owns */

void segments_note(segments_t *, pid_t); /* those that a process has in use */
void segments_note_last(segments_t *, pid_t); /* the same of one that is killed next: it is stopped, so that it makes no more */
void segments_remove(segments_t *);      /* whoever comes first does; nothing is noted then */

#endif
