/*
 * topology -- the shape of a communicator: a grid, a graph, or each member's own
 * neighbours.  cart.c, graph.c and dist_graph.c make shapes; ranks keep their
 * places, since `reorder` only allows otherwise.
 */
#ifndef SHIM_VIRTUAL_TOPOLOGY_H
#define SHIM_VIRTUAL_TOPOLOGY_H

#include "shim/comm.h"

struct shape {
    int references; /* communicators: a duplicate shares */
    int nsources, ndestinations;
    int *sources, *destinations; /* this process's neighbours, as topology_neighbours gives them */
    union {
        struct {
            int ndims, *dims, *periods, *coords; /* the latter of this process */
        } cart;
        struct {
            int nnodes, nedges, *indexes, *edges; /* as the user gave them */
        } graph;
        struct {
            int *source_weights, *destination_weights; /* NULL: unweighted */
        } dist;
    };
    int *next;  /* all arrays lie here, one after the other */
    int room[];
};

struct shape *shape_new(size_t room);                        /* in ints, of all its arrays */
int *shape_ints(struct shape *, int n, const int *contents); /* the next array; NULL: left to fill */
void shape_drop(struct shape *);                             /* or NULL */

void topology_share(struct comm *to, const struct comm *from);
void topology_drop(struct comm *);

/*
 * The communicator of a call that needs this shape.  MPI_SUCCESS, or the error,
 * raised: MPI_ERR_COMM or MPI_ERR_TOPOLOGY.
 */
int topology_find(MPI_Comm, enum topology, struct comm **);

/*
 * Whom neighbourhood collectives receive from and send to: ranks, or
 * MPI_PROC_NULL, in MPI's order.  Borrowed.  MPI_SUCCESS, or MPI_ERR_TOPOLOGY with
 * no neighbours.
 */
int topology_neighbours(const struct comm *, const int **sources, int *nsources, const int **destinations,
                        int *ndestinations);

/* For the user's arrays, which may be shorter: the first part then. */
void topology_give(int *to, int room, const int *from, int n);

#endif
