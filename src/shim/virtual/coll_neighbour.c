/*
 * coll_neighbour -- collectives along the edges of a process topology.
 */
#include "shim/virtual/collective.h"
#include "shim/virtual/topology.h"

static void bring_to_neighbours(struct collective *c, const struct buffer_argument *part, const int *destination, int n)
{
    collective_reserve(&c->bring, n);
    for (int i = 0; i < n; i++)
        if (destination[i] != MPI_PROC_NULL)
            collective_add(c, &c->bring, part, i, comm_local_position(c->comm, destination[i]));
}

/*
 * Between two members that share several edges, what goes out on the k-th comes
 * in on the k-th.  But on a cartesian grid what goes out to the left comes in
 * from the right, also where both are the same member (a periodic dimension of
 * one or two): so of each pair of neighbours the second takes first.
 */
static void take_from_neighbours(struct collective *c, const struct buffer_argument *part, const int *source, int n)
{
    int swap = c->comm->topology == TOPOLOGY_CART;
    collective_reserve(&c->take, n);
    for (int k = 0; k < n; k++)
        if (source[k ^ swap] != MPI_PROC_NULL)
            collective_add(c, &c->take, part, k ^ swap, comm_local_position(c->comm, source[k ^ swap]));
    c->listed = true;
}

static void neighbour_alltoall(struct collective *c, struct buffer_argument send, struct buffer_argument recv)
{
    const int *source, *destination;
    int sources, destinations;
    collective_fail(c, topology_neighbours(c->comm, &source, &sources, &destination, &destinations),
                    "the communicator has no topology");
    bring_to_neighbours(c, &send, destination, destinations);
    take_from_neighbours(c, &recv, source, sources);
}

/* All neighbours get the same block. */
static void neighbour_allgather(struct collective *c, struct buffer_argument send, struct buffer_argument recv)
{
    send.stride = 0;
    neighbour_alltoall(c, send, recv);
}

COLLECTIVE(Neighbor_allgather, Ineighbor_allgather,
           (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
            MPI_Datatype recvtype, MPI_Comm comm),
           neighbour_allgather(c, even(sendbuf, sendcount, sendtype), even(recvbuf, recvcount, recvtype)))

COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv,
           (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
            const MPI_Count *recvcounts, const MPI_Aint *displs, MPI_Datatype recvtype, MPI_Comm comm),
           neighbour_allgather(c, even(sendbuf, sendcount, sendtype),
                               varied(recvbuf, recvcounts, displs, recvtype)))

COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall,
           (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
            MPI_Datatype recvtype, MPI_Comm comm),
           neighbour_alltoall(c, even(sendbuf, sendcount, sendtype), even(recvbuf, recvcount, recvtype)))

COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv,
           (const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *sdispls, MPI_Datatype sendtype,
            void *recvbuf, const MPI_Count *recvcounts, const MPI_Aint *rdispls, MPI_Datatype recvtype,
            MPI_Comm comm),
           neighbour_alltoall(c, varied(sendbuf, sendcounts, sdispls, sendtype),
                              varied(recvbuf, recvcounts, rdispls, recvtype)))

COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw,
           (const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *sdispls,
            const MPI_Datatype *sendtypes, void *recvbuf, const MPI_Count *recvcounts, const MPI_Aint *rdispls,
            const MPI_Datatype *recvtypes, MPI_Comm comm),
           neighbour_alltoall(c, mixed(sendbuf, sendcounts, sdispls, sendtypes),
                              mixed(recvbuf, recvcounts, rdispls, recvtypes)))
