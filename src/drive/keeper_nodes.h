/*
 * keeper_nodes -- keepers of windows (window/keeper.h) as ranks without a process.
 *
 * A keeper is kept for every node of its history, so whatever comes next goes on from there.
 */
#ifndef DRIVE_KEEPER_NODES_H
#define DRIVE_KEEPER_NODES_H

#include "drive/checkpoint.h"
#include "window/keeper.h"

/* All zero is none. */
struct keeper_nodes {
    VEC(struct keeper *) at; /* owns; by node; NULL: none, or it has to be made again */
};
void keeper_nodes_release(struct keeper_nodes *);

bool keeper_nodes_have(const struct keeper_nodes *, node_id);
void keeper_nodes_forget(struct keeper_nodes *, node_id);

/*
 * Makes the keeper at a node out of that of its parent, which must be there, as must the message that it takes; and reads what it does,
 * as from a process.
 */
struct segment keeper_nodes_run(struct keeper_nodes *, struct checkpoints *, struct memory *, int ranks, node_id, struct reading *);

struct map_key keeper_nodes_image(const struct keeper_nodes *, node_id);

#endif
