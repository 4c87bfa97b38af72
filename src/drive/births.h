/*
 * births -- ranks that others start (call/dynamic.h), as the search sees them.
 *
 * The first node of such a rank has no process: it waits for the message that says what it is to be.  Behind the answer its process
 * begins.
 */
#ifndef DRIVE_BIRTHS_H
#define DRIVE_BIRTHS_H

#include "drive/checkpoint.h"
#include "call/spawn_places.h"

/* The first node, as if a process had told of it. */
struct segment births_await(struct reading *, struct memory *, node_id);

/* Where the birth lies that leads to a node, if one does: its payload must be there. */
bool births_find(struct checkpoints *, node_id, struct birth_place *);

/* Of a segment from an earlier session: which numbers are taken. */
void births_learn_places(spawn_places_t *, rank_t, const struct segment *);

#endif
