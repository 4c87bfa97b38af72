/*
 * topology_make -- communicators with a shape.
 */
#ifndef SHIM_VIRTUAL_TOPOLOGY_MAKE_H
#define SHIM_VIRTUAL_TOPOLOGY_MAKE_H

#include "shim/virtual/topology.h"

/*
 * Splits off (comm_split) the communicator that gets a shape.  Takes the shape,
 * which only those who are in it need to have.
 */
int topology_make(struct comm *old, int color, int key, enum topology, struct shape *, MPI_Comm *newcomm);

#endif
