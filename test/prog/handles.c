/*
 * Handles as Fortran integers and back; the program's own MPI_Send in front of
 * PMPI_Send, as profiling tools do.
 *
 * run: -n 2
 */
#include "check.h"

static int wrapped;

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    wrapped++;
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

static void conversions(void)
{
    MPI_Comm comm;
    MPI_Group group;
    MPI_Datatype type;
    MPI_Op op = MPI_Op_f2c(MPI_Op_c2f(MPI_MAX));
    MPI_Request request;
    MPI_Fint f_request, f_status[16]; /* MPI_F_STATUS_SIZE came later */
    MPI_Status status, copy;
    int got = -1, max = -1, n, equal, peer = 1 - rank;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    comm = MPI_Comm_f2c(MPI_Comm_c2f(comm));
    MPI_Comm_group(comm, &group);
    group = MPI_Group_f2c(MPI_Group_c2f(group));
    MPI_Group_size(group, &n);
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    type = MPI_Type_f2c(MPI_Type_c2f(type));

    MPI_Irecv(&got, 1, type, peer, 5, comm, &request);
    f_request = MPI_Request_c2f(request);
    request = MPI_Request_f2c(f_request);
    MPI_Send(&rank, 1, type, peer, 5, comm);
    MPI_Wait(&request, &status);
    MPI_Status_c2f(&status, f_status);
    MPI_Status_f2c(f_status, &copy);
    MPI_Allreduce(&rank, &max, 1, MPI_INT, op, comm);
    equal = copy.MPI_SOURCE == peer && copy.MPI_TAG == 5;
    say("got %d, group %d, max %d, status %d, wrapped %d", got, n, max, equal, wrapped);
    CHECK(got == peer && max == 1 && equal && wrapped == 1);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
    CHECK(MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
    MPI_Group_free(&group);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
}

/* The profiling names alone. */
static void profiling_names(void)
{
    int v = rank == 0 ? 31 : 0;

    if (rank == 0)
        PMPI_Ssend(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        PMPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    PMPI_Barrier(MPI_COMM_WORLD);
    say("pmpi %d", v);
    CHECK(v == 31);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    conversions();
    profiling_names();
    return finish();
}
