/*
 * comm_calls -- calls about communicators that are collectives, or that have to know of some: idup, free, disconnect.
 */
#include "shim/clock/collective_call.h"
#include "shim/clock/comm.h"

/*
 * Messages that are pending go on, and persistent requests can be started again, on the shadow.
 * Not so collectives: Open MPI 4 forgets that they need their communicator, so it stays until
 * they are complete.
 */
static int let_go_of_comm(MPI_Comm *handle, int (*free_it)(MPI_Comm *))
{
    struct comm *c = comm_find(*handle);
    MPI_Comm old = *handle;
    bool later = c && flights_collective_on(c);
    int rc = later ? MPI_SUCCESS : free_it(handle);
    if (rc != MPI_SUCCESS || !c)
        return rc;
    comm_forget(old);
    if (!later)
        c->handle = MPI_COMM_WORLD; /* errors of what is pending have to be raised somewhere */
    *handle = MPI_COMM_NULL;
    comm_drop(c);
    return rc;
}

int body_Comm_free(MPI_Comm *comm)
{
    return let_go_of_comm(comm, real.Comm_free);
}

#define NO_DATA {{-1, MPI_DATATYPE_NULL}, {-1, MPI_DATATYPE_NULL}}

static int idup_for_real(MPI_Comm comm, const MPI_Info *info, MPI_Comm *newcomm, MPI_Request *request)
{
    return info ? real.Comm_idup_with_info(comm, *info, newcomm, request) : real.Comm_idup(comm, newcomm, request);
}

/* The shadow comes by the same way as the new communicator, so that nobody waits for anybody. */
static int idup(MPI_Comm comm, const MPI_Info *info, MPI_Comm *newcomm, MPI_Request *request)
{
    struct collective_call j = {.comm = comm, .root = -1, .op = MPI_OP_NULL, .data = NO_DATA};
    bool ours = collective_call_begin(&j);
    int rc = idup_for_real(comm, info, newcomm, request);
    if (rc == MPI_SUCCESS && ours)
        collective_call_copies(&j, newcomm);
    return collective_call_started(&j, rc, request);
}

/* Unlike MPI_Comm_free, it waits for all to come. */
int body_Comm_disconnect(MPI_Comm *comm)
{
    struct collective_call j = {.comm = *comm, .root = -1, .op = MPI_OP_NULL, .blocking = true, .data = NO_DATA};
    bool allowed = *comm != MPI_COMM_WORLD && *comm != MPI_COMM_SELF;
    if (!allowed || !collective_call_begin(&j))
        return let_go_of_comm(comm, real.Comm_disconnect);
    return collective_call_end(&j, let_go_of_comm(comm, real.Comm_disconnect));
}

int body_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    return idup(comm, NULL, newcomm, request);
}

int body_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
    return idup(comm, &info, newcomm, request);
}
