/*
 * Graphs that every member knows whole: indexes[i] is where the edges of node i
 * end, and those of node i + 1 begin.
 */
#include "shim/core/error.h"
#include "shim/virtual/topology_make.h"

static int degree(const int *indexes, int node)
{
    return indexes[node] - (node ? indexes[node - 1] : 0);
}

static const int *neighbours_of(const int *indexes, const int *edges, int node)
{
    return edges + (node ? indexes[node - 1] : 0);
}

static struct shape *graph_new(int nnodes, const int *indexes, const int *edges, int rank)
{
    int nedges = nnodes ? indexes[nnodes - 1] : 0;
    struct shape *shape = shape_new((size_t)nnodes + nedges);
    shape->graph.nnodes = nnodes;
    shape->graph.nedges = nedges;
    shape->graph.indexes = shape_ints(shape, nnodes, indexes);
    shape->graph.edges = shape_ints(shape, nedges, edges);
    if (rank < nnodes) {
        shape->nsources = shape->ndestinations = degree(indexes, rank);
        shape->sources = shape->destinations = (int *)neighbours_of(indexes, shape->graph.edges, rank);
    }
    return shape;
}

static int check_graph(const struct comm *c, int nnodes, const int *indexes, const int *edges)
{
    if (!c || comm_is_inter(c))
        return error_raise(c, MPI_ERR_COMM);
    if (nnodes < 0 || nnodes > c->local->size)
        return error_raise(c, MPI_ERR_ARG);
    for (int i = 0; i < nnodes; i++)
        if (degree(indexes, i) < 0)
            return error_raise(c, MPI_ERR_ARG);
    for (int i = 0; nnodes && i < indexes[nnodes - 1]; i++)
        if (edges[i] < 0 || edges[i] >= nnodes)
            return error_raise(c, MPI_ERR_ARG);
    return MPI_SUCCESS;
}

int body_Graph_create(MPI_Comm comm_old, int nnodes, const int *indexes, const int *edges, int reorder,
                      MPI_Comm *newcomm)
{
    (void)reorder;
    struct comm *old = comm_find(comm_old);
    int error = check_graph(old, nnodes, indexes, edges);
    if (error != MPI_SUCCESS)
        return error;
    return topology_make(old, old->rank < nnodes ? 0 : MPI_UNDEFINED, old->rank, TOPOLOGY_GRAPH,
                         graph_new(nnodes, indexes, edges, old->rank), newcomm);
}

int body_Graph_map(MPI_Comm comm, int nnodes, const int *indexes, const int *edges, int *newrank)
{
    const struct comm *c = comm_find(comm);
    int error = check_graph(c, nnodes, indexes, edges);
    if (error != MPI_SUCCESS)
        return error;
    *newrank = c->rank < nnodes ? c->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int body_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges)
{
    struct comm *c;
    int error = topology_find(comm, TOPOLOGY_GRAPH, &c);
    if (error != MPI_SUCCESS)
        return error;
    *nnodes = c->shape->graph.nnodes;
    *nedges = c->shape->graph.nedges;
    return MPI_SUCCESS;
}

int body_Graph_get(MPI_Comm comm, int maxnodes, int maxedges, int *indexes, int *edges)
{
    struct comm *c;
    int error = topology_find(comm, TOPOLOGY_GRAPH, &c);
    if (error != MPI_SUCCESS)
        return error;
    topology_give(indexes, maxnodes, c->shape->graph.indexes, c->shape->graph.nnodes);
    topology_give(edges, maxedges, c->shape->graph.edges, c->shape->graph.nedges);
    return MPI_SUCCESS;
}

static int find_node(MPI_Comm comm, int rank, struct comm **c)
{
    int error = topology_find(comm, TOPOLOGY_GRAPH, c);
    if (error != MPI_SUCCESS)
        return error;
    return error_raise(*c, rank < 0 || rank >= (*c)->shape->graph.nnodes ? MPI_ERR_RANK : MPI_SUCCESS);
}

int body_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors)
{
    struct comm *c;
    int error = find_node(comm, rank, &c);
    if (error == MPI_SUCCESS)
        *nneighbors = degree(c->shape->graph.indexes, rank);
    return error;
}

int body_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int *neighbors)
{
    struct comm *c;
    int error = find_node(comm, rank, &c);
    if (error != MPI_SUCCESS)
        return error;
    const struct shape *graph = c->shape;
    topology_give(neighbors, maxneighbors, neighbours_of(graph->graph.indexes, graph->graph.edges, rank),
                  degree(graph->graph.indexes, rank));
    return MPI_SUCCESS;
}
