/*
 * segments -- files of shared memory that MPI libraries make for their ranks, and leave if these are killed; and System V memory of such ranks.
 */
#ifndef WORLD_SEGMENTS_H
#define WORLD_SEGMENTS_H

#include <sys/types.h>

#include "base/mem.h"
#include "world/system_v.h"

typedef struct {
    VEC(char *) path;          /* owns */
    system_v_numbers_t number; /* of System V memory */
} segments_t;

void segments_note(segments_t *, pid_t); /* files that a process has in use */
void segments_note_last(segments_t *, pid_t); /* the same of one that is killed next, and its System V memory: it is stopped, so that it makes no more */
void segments_remove(segments_t *);      /* whoever comes first does; nothing is noted then */

#endif
