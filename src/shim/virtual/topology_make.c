#include "shim/virtual/topology_make.h"

#include "shim/virtual/comm_make.h"

int topology_make(struct comm *old, int color, int key, enum topology topology, struct shape *shape, MPI_Comm *newcomm)
{
    int error = comm_split(old, color, key, newcomm);
    struct comm *new = error == MPI_SUCCESS ? comm_find(*newcomm) : NULL;
    if (!new) {
        shape_drop(shape);
        return error;
    }
    new->topology = topology;
    new->shape = shape;
    return MPI_SUCCESS;
}
