/*
 * Arguments that make no sense, and near them those that do.
 *
 * check: -n 2: none
 * check: -n 2 -- rank: invalid-argument error RANK
 * check: -n 2 -- tag: invalid-argument error TAG
 * check: -n 2 -- count: invalid-argument error COUNT
 * check: -n 2 -- buffer: invalid-argument error BUFFER
 * check: -n 2 -- type: invalid-argument error TYPE
 * check: -n 2 -- uncommitted: invalid-argument error UNCOMMITTED
 * check: -n 2 -- comm: invalid-argument error COMM
 * check: -n 2 -- freed: invalid-argument error FREED
 * check: -n 2 -- root: invalid-argument error ROOT
 * check: -n 2 -- op: invalid-argument error OP
 * check: -n 2 -- place: invalid-argument error PLACE
 * check: -n 2 -- kind: invalid-argument error KIND
 * check: -n 2 -- group: invalid-argument error GROUP
 * check: -n 2 -- stale: invalid-argument error STALE
 * check: -n 2 -- twice: invalid-argument error TWICE
 * check: -n 2 -- start: invalid-argument error START
 */
#include <mpi.h>
#include <string.h>

static const char *what = "";

static int is(const char *word)
{
    return strcmp(what, word) == 0;
}

static void messages(int rank)
{
    int v[4] = {0}, other = 1 - rank;
    MPI_Datatype type, bottom;
    MPI_Request request, copy;
    MPI_Aint at;

    MPI_Isend(v, 1, MPI_INT, is("rank") ? 2 : other, 0, MPI_COMM_WORLD, &request); /* RANK */
    MPI_Recv(&v[1], 1, MPI_INT, other, is("tag") ? -7 : 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* TAG */
    copy = request;
    if (is("twice"))
        MPI_Waitall(2, (MPI_Request[]){request, copy}, MPI_STATUSES_IGNORE); /* TWICE */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(is("stale") ? &copy : &request, MPI_STATUS_IGNORE); /* STALE */
    MPI_Isend(is("buffer") ? 0 : v, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request); /* BUFFER */
    if (is("start"))
        MPI_Start(&request); /* START */
    MPI_Recv(&v[1], 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(0, is("count") ? -1 : 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* COUNT */
    MPI_Send(v, 1, is("type") ? MPI_DATATYPE_NULL : MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* TYPE */

    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    if (!is("uncommitted"))
        MPI_Type_commit(&type);
    MPI_Send(v, 1, type, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* UNCOMMITTED */
    MPI_Type_free(&type);
    MPI_Get_address(v, &at);
    MPI_Type_create_hindexed(1, (int[]){2}, &at, MPI_INT, &bottom);
    MPI_Type_commit(&bottom);
    MPI_Send(MPI_BOTTOM, 1, bottom, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Sendrecv(MPI_BOTTOM, 1, bottom, other, 5, v, 2, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&bottom);
    MPI_Type_contiguous(0, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Send(0, 5, type, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
}

static void collectives(void)
{
    int v[4] = {0}, sum;
    MPI_Comm comm, copy;
    MPI_Group group;

    MPI_Barrier(is("comm") ? MPI_COMM_NULL : MPI_COMM_WORLD); /* COMM */
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    copy = comm;
    MPI_Comm_free(&comm);
    MPI_Barrier(is("freed") ? copy : MPI_COMM_WORLD); /* FREED */
    MPI_Bcast(v, 1, MPI_INT, is("root") ? 2 : 1, MPI_COMM_WORLD); /* ROOT */
    MPI_Allreduce(v, &sum, 1, MPI_INT, is("op") ? MPI_OP_NULL : MPI_MAX, MPI_COMM_WORLD); /* OP */
    MPI_Bcast(is("place") ? MPI_IN_PLACE : v, 1, MPI_INT, 0, MPI_COMM_WORLD); /* PLACE */
    MPI_Bcast(0, 0, MPI_INT, 0, MPI_COMM_WORLD);
    if (is("kind"))
        MPI_Comm_remote_size(MPI_COMM_WORLD, &sum); /* KIND */
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_size(is("group") ? MPI_GROUP_NULL : group, &sum); /* GROUP */
    MPI_Group_free(&group);
}

int main(int argc, char **argv)
{
    int rank;
    if (argc > 1)
        what = argv[1];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    messages(rank);
    collectives();
    MPI_Finalize();
    return 0;
}
