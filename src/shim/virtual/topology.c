#include "shim/virtual/topology.h"

#include <stdlib.h>
#include <string.h>

#include "shim/core/error.h"

struct shape *shape_new(size_t room)
{
    struct shape *shape = shim_alloc(sizeof *shape + room * sizeof *shape->room);
    *shape = (struct shape){.references = 1};
    shape->next = shape->room;
    return shape;
}

int *shape_ints(struct shape *shape, int n, const int *contents)
{
    int *array = shape->next;
    shape->next += n;
    if (contents && n)
        memcpy(array, contents, n * sizeof *array);
    return array;
}

void shape_drop(struct shape *shape)
{
    if (shape && --shape->references == 0)
        free(shape);
}

void topology_share(struct comm *to, const struct comm *from)
{
    to->topology = from->topology;
    to->shape = from->shape;
    if (to->shape)
        to->shape->references++;
}

void topology_drop(struct comm *c)
{
    shape_drop(c->shape);
}

int topology_find(MPI_Comm handle, enum topology topology, struct comm **found)
{
    struct comm *c = *found = comm_find(handle);
    if (!c)
        return error_raise(NULL, MPI_ERR_COMM);
    return error_raise(c, c->topology == topology ? MPI_SUCCESS : MPI_ERR_TOPOLOGY);
}

int topology_neighbours(const struct comm *c, const int **sources, int *nsources, const int **destinations,
                        int *ndestinations)
{
    static const struct shape alone;
    const struct shape *shape = c->shape ? c->shape : &alone;
    *sources = shape->sources;
    *nsources = shape->nsources;
    *destinations = shape->destinations;
    *ndestinations = shape->ndestinations;
    return c->shape ? MPI_SUCCESS : MPI_ERR_TOPOLOGY;
}

void topology_give(int *to, int room, const int *from, int n)
{
    if (room > n)
        room = n;
    if (room > 0)
        memcpy(to, from, room * sizeof *to);
}

int body_Topo_test(MPI_Comm comm, int *status)
{
    static const int answer[] = {
        [TOPOLOGY_NONE] = MPI_UNDEFINED,
        [TOPOLOGY_CART] = MPI_CART,
        [TOPOLOGY_GRAPH] = MPI_GRAPH,
        [TOPOLOGY_DIST_GRAPH] = MPI_DIST_GRAPH,
    };
    const struct comm *c = comm_find(comm);
    if (!c)
        return error_raise(NULL, MPI_ERR_COMM);
    *status = answer[c->topology];
    return MPI_SUCCESS;
}
