/*
 * nodes -- on which node of the virtual machine a rank is (--nodes): so many ranks are on the first, so many on the next.
 */
#ifndef SHIM_VIRTUAL_NODES_H
#define SHIM_VIRTUAL_NODES_H

#include "call/op.h"

int node_of_rank(rank_t);

#endif
