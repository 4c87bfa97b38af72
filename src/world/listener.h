/*
 * listener -- keeps the end of what each rank writes to standard error.
 *
 * A child reads it, so that no rank ever waits, and keeps the last few kilobytes in memory that tourney sees.
 */
#ifndef WORLD_LISTENER_H
#define WORLD_LISTENER_H

#include <sys/types.h>

#include "call/op.h"

struct listener;

struct listener *listener_start(int ranks);
void listener_end(struct listener *); /* when all ranks are gone */

pid_t listener_process(const struct listener *);
int listener_ear(const struct listener *, rank_t); /* where the rank writes */
/* What it wrote last, to be freed.  Of a rank that has ended it is all there. */
char *listener_heard(const struct listener *, rank_t);

#endif
