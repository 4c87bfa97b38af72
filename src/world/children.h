/*
 * children -- the processes below this one.
 *
 * A rank may be a script and what it has started; when the script is killed, that is left.  Whoever starts ranks adopts
 * such processes, and so can kill all of them.
 */
#ifndef WORLD_CHILDREN_H
#define WORLD_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* From here on what children leave behind become children of this process. */
void children_adopt(void);

/* Kills all children but these; theirs become ours, so it may have to be done again.  False: there was none. */
bool children_kill(const pid_t *spared, size_t n);

#endif
