/*
 * Graphs of which each member knows its own neighbours.
 */
#include <stdlib.h>

#include "shim/core/error.h"
#include "shim/virtual/agreement.h"
#include "shim/virtual/topology_make.h"

/* One side of a member's neighbourhood, as MPI passes it. */
struct adjacency {
    int degree;
    const int *rank, *weight; /* weight may be MPI_UNWEIGHTED */
};

static bool has_weights(const int *weights)
{
    return weights != MPI_UNWEIGHTED;
}

static int check_neighbour_ranks(const struct comm *c, int n, const int *rank)
{
    for (int i = 0; i < n; i++)
        if (rank[i] < 0 || rank[i] >= c->local->size)
            return MPI_ERR_RANK;
    return MPI_SUCCESS;
}

static int *copy_weights(struct shape *shape, const struct adjacency *side)
{
    return has_weights(side->weight) ? shape_ints(shape, side->degree, side->weight) : NULL;
}

static int make_dist_graph(struct comm *old, const struct adjacency *in, const struct adjacency *out, MPI_Comm *newcomm)
{
    struct shape *shape = shape_new(2 * ((size_t)in->degree + out->degree));
    shape->nsources = in->degree;
    shape->ndestinations = out->degree;
    shape->sources = shape_ints(shape, in->degree, in->rank);
    shape->destinations = shape_ints(shape, out->degree, out->rank);
    shape->dist.source_weights = copy_weights(shape, in);
    shape->dist.destination_weights = copy_weights(shape, out);
    return topology_make(old, 0, old->rank, TOPOLOGY_DIST_GRAPH, shape, newcomm);
}

int body_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int *sources, const int *sourceweights,
                                    int outdegree, const int *destinations, const int *destweights, MPI_Info info,
                                    int reorder, MPI_Comm *newcomm)
{
    (void)info, (void)reorder;
    struct comm *old = comm_find(comm_old);
    if (!old || comm_is_inter(old))
        return error_raise(old, MPI_ERR_COMM);
    if (indegree < 0 || outdegree < 0)
        return error_raise(old, MPI_ERR_ARG);
    if (check_neighbour_ranks(old, indegree, sources) || check_neighbour_ranks(old, outdegree, destinations))
        return error_raise(old, MPI_ERR_RANK);
    return make_dist_graph(old, &(struct adjacency){indegree, sources, sourceweights},
                           &(struct adjacency){outdegree, destinations, destweights}, newcomm);
}

struct topology_edge {
    int source, destination, weight;
};

/* The user's form: node i has degrees[i] of the destinations, one node after the other. */
static int check_edges(const struct comm *c, int n, const int *sources, const int *degrees, const int *destinations,
                       int *count)
{
    *count = 0;
    if (n < 0)
        return MPI_ERR_ARG;
    for (int i = 0; i < n; i++) {
        if (degrees[i] < 0)
            return MPI_ERR_ARG;
        *count += degrees[i];
    }
    int error = check_neighbour_ranks(c, n, sources);
    return error ? error : check_neighbour_ranks(c, *count, destinations);
}

static struct topology_edge *list_edges(int n, int count, const int *sources, const int *degrees,
                                        const int *destinations, const int *weights)
{
    struct topology_edge *edge = shim_alloc(count * sizeof *edge);
    for (int i = 0, k = 0; i < n; i++)
        for (int end = k + degrees[i]; k < end; k++)
            edge[k] = (struct topology_edge){sources[i], destinations[k], has_weights(weights) ? weights[k] : 0};
    return edge;
}

/* All members' edges, by the rank of who named them and in the order named: the same list for everybody. */
static struct topology_edge *gather_edges(struct comm *c, const struct topology_edge *mine, int count, size_t *total)
{
    int members = comm_members(c);
    size_t *start = shim_alloc((members + 1) * sizeof *start);
    struct topology_edge *all = (struct topology_edge *)agree(c, mine, count * sizeof *mine, start);
    *total = start[members] / sizeof *all;
    free(start);
    return all;
}

/*
 * Both ends of an edge see the list in the same order, so of several edges between
 * two members the k-th there is the k-th here.
 */
static int make_from_edges(struct comm *old, const struct topology_edge *edge, size_t n, bool weighted,
                           MPI_Comm *newcomm)
{
    int *room = shim_alloc(4 * n * sizeof *room);
    int *source = room, *source_weight = room + n, *destination = room + 2 * n, *destination_weight = room + 3 * n;
    int in = 0, out = 0;
    for (size_t i = 0; i < n; i++) {
        if (edge[i].destination == old->rank) {
            source[in] = edge[i].source;
            source_weight[in++] = edge[i].weight;
        }
        if (edge[i].source == old->rank) {
            destination[out] = edge[i].destination;
            destination_weight[out++] = edge[i].weight;
        }
    }
    int error =
        make_dist_graph(old, &(struct adjacency){in, source, weighted ? source_weight : MPI_UNWEIGHTED},
                        &(struct adjacency){out, destination, weighted ? destination_weight : MPI_UNWEIGHTED}, newcomm);
    free(room);
    return error;
}

int body_Dist_graph_create(MPI_Comm comm_old, int n, const int *sources, const int *degrees, const int *destinations,
                           const int *weights, MPI_Info info, int reorder, MPI_Comm *newcomm)
{
    (void)info, (void)reorder;
    struct comm *old = comm_find(comm_old);
    if (!old || comm_is_inter(old))
        return error_raise(old, MPI_ERR_COMM);
    int count, error = check_edges(old, n, sources, degrees, destinations, &count);
    if (error != MPI_SUCCESS)
        return error_raise(old, error);
    size_t total;
    struct topology_edge *mine = list_edges(n, count, sources, degrees, destinations, weights);
    struct topology_edge *all = gather_edges(old, mine, count, &total);
    error = make_from_edges(old, all, total, has_weights(weights), newcomm);
    free(mine);
    free(all);
    return error;
}

int body_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted)
{
    struct comm *c;
    int error = topology_find(comm, TOPOLOGY_DIST_GRAPH, &c);
    if (error != MPI_SUCCESS)
        return error;
    *indegree = c->shape->nsources;
    *outdegree = c->shape->ndestinations;
    *weighted = c->shape->dist.source_weights || c->shape->dist.destination_weights;
    return MPI_SUCCESS;
}

static void give_weights(int *to, int room, const int *weights, int n)
{
    if (weights && has_weights(to))
        topology_give(to, room, weights, n);
}

int body_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int *sources, int *sourceweights, int maxoutdegree,
                              int *destinations, int *destweights)
{
    struct comm *c;
    int error = topology_find(comm, TOPOLOGY_DIST_GRAPH, &c);
    if (error != MPI_SUCCESS)
        return error;
    const struct shape *shape = c->shape;
    topology_give(sources, maxindegree, shape->sources, shape->nsources);
    topology_give(destinations, maxoutdegree, shape->destinations, shape->ndestinations);
    give_weights(sourceweights, maxindegree, shape->dist.source_weights, shape->nsources);
    give_weights(destweights, maxoutdegree, shape->dist.destination_weights, shape->ndestinations);
    return MPI_SUCCESS;
}
