/*
 * coll_move -- collectives that hand data on as it is.
 *
 * MPI_IN_PLACE for a send buffer says that what this member brings already lies
 * in its receive buffer, where its own block goes: so that is what it brings.
 */
#include "shim/virtual/collective.h"

static bool in_place(struct collective *c, const struct buffer_argument *part)
{
    bool yes = part->buf == MPI_IN_PLACE && !comm_is_inter(c->comm);
    c->in_place = c->in_place || yes;
    return yes;
}

static void bcast(struct collective *c, struct buffer_argument data, int root)
{
    struct role role = collective_role(c, root);
    if (role.root)
        collective_bring(c, data, 0, SLICE_FOR_ALL);
    else if (role.leaf)
        collective_take(c, data, 0, c->root);
}

static void gather_to_root(struct collective *c, struct buffer_argument send, struct buffer_argument recv, int root)
{
    struct role role = collective_role(c, root);
    if (role.root && in_place(c, &send))
        collective_bring(c, recv, root, c->root);
    else if (role.leaf)
        collective_bring(c, send, 0, c->root);
    if (role.root)
        collective_take_each(c, recv);
}

static void scatter(struct collective *c, struct buffer_argument send, struct buffer_argument recv, int root)
{
    struct role role = collective_role(c, root);
    if (role.root)
        collective_bring_each(c, send);
    if (role.leaf && !(role.root && in_place(c, &recv)))
        collective_take(c, recv, 0, c->root);
}

static void allgather(struct collective *c, struct buffer_argument send, struct buffer_argument recv)
{
    if (in_place(c, &send))
        collective_bring(c, recv, c->comm->rank, SLICE_FOR_ALL);
    else
        collective_bring(c, send, 0, SLICE_FOR_ALL);
    collective_take_each(c, recv);
}

static void alltoall(struct collective *c, struct buffer_argument send, struct buffer_argument recv)
{
    collective_bring_each(c, in_place(c, &send) ? recv : send);
    collective_take_each(c, recv);
}

COLLECTIVE(Barrier, Ibarrier,
           (MPI_Comm comm),
           collective_need_peers(c))

COLLECTIVE(Bcast, Ibcast,
           (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm),
           bcast(c, even(buffer, count, datatype), root))

COLLECTIVE(Gather, Igather,
           (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm),
           gather_to_root(c, even(sendbuf, sendcount, sendtype), even(recvbuf, recvcount, recvtype), root))

COLLECTIVE(Gatherv, Igatherv,
           (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
            const MPI_Count *recvcounts, const MPI_Aint *displs, MPI_Datatype recvtype, int root, MPI_Comm comm),
           gather_to_root(c, even(sendbuf, sendcount, sendtype), varied(recvbuf, recvcounts, displs, recvtype), root))

COLLECTIVE(Scatter, Iscatter,
           (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm),
           scatter(c, even(sendbuf, sendcount, sendtype), even(recvbuf, recvcount, recvtype), root))

COLLECTIVE(Scatterv, Iscatterv,
           (const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *displs, MPI_Datatype sendtype,
            void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
           scatter(c, varied(sendbuf, sendcounts, displs, sendtype), even(recvbuf, recvcount, recvtype), root))

COLLECTIVE(Allgather, Iallgather,
           (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
            MPI_Datatype recvtype, MPI_Comm comm),
           allgather(c, even(sendbuf, sendcount, sendtype), even(recvbuf, recvcount, recvtype)))

COLLECTIVE(Allgatherv, Iallgatherv,
           (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
            const MPI_Count *recvcounts, const MPI_Aint *displs, MPI_Datatype recvtype, MPI_Comm comm),
           allgather(c, even(sendbuf, sendcount, sendtype), varied(recvbuf, recvcounts, displs, recvtype)))

COLLECTIVE(Alltoall, Ialltoall,
           (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
            MPI_Datatype recvtype, MPI_Comm comm),
           alltoall(c, even(sendbuf, sendcount, sendtype), even(recvbuf, recvcount, recvtype)))

COLLECTIVE(Alltoallv, Ialltoallv,
           (const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *sdispls, MPI_Datatype sendtype,
            void *recvbuf, const MPI_Count *recvcounts, const MPI_Aint *rdispls, MPI_Datatype recvtype,
            MPI_Comm comm),
           alltoall(c, varied(sendbuf, sendcounts, sdispls, sendtype),
                    varied(recvbuf, recvcounts, rdispls, recvtype)))

COLLECTIVE(Alltoallw, Ialltoallw,
           (const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *sdispls,
            const MPI_Datatype *sendtypes, void *recvbuf, const MPI_Count *recvcounts, const MPI_Aint *rdispls,
            const MPI_Datatype *recvtypes, MPI_Comm comm),
           alltoall(c, mixed(sendbuf, sendcounts, sdispls, sendtypes),
                    mixed(recvbuf, recvcounts, rdispls, recvtypes)))
