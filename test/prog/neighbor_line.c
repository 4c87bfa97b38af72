/*
 * Neighbor_alltoallv and -w on a line and on a ring, with types, and the
 * persistent forms of MPI 4.
 *
 * run: -n 3
 * compare: each
 */
#include "check.h"

static void exchange(const char *what, MPI_Comm comm)
{
    int out[4] = {100 * rank, 100 * rank + 1, 100 * rank + 2, 100 * rank + 3}, in[6];
    int send_counts[2] = {1, 2}, send_places[2] = {0, 1};
    int receive_counts[2] = {2, 1}, receive_places[2] = {3, 0};
    MPI_Aint send_bytes[2] = {0, 2 * sizeof(int)}, receive_bytes[2] = {4 * sizeof(int), 0};
    MPI_Datatype send_types[2] = {MPI_INT, MPI_2INT}, receive_types[2] = {MPI_2INT, MPI_INT};
    int one[2] = {1, 1};
    MPI_Request request;

    memset(in, -1, sizeof in);
    MPI_Neighbor_alltoallv(out, send_counts, send_places, MPI_INT, in, receive_counts,
                           receive_places, MPI_INT, comm);
    say("%s alltoallv %d %d %d %d %d", what, in[0], in[1], in[2], in[3], in[4]);
    memset(in, -1, sizeof in);
    MPI_Ineighbor_alltoallv(out, send_counts, send_places, MPI_INT, in, receive_counts,
                            receive_places, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("%s ialltoallv %d %d %d %d %d", what, in[0], in[1], in[2], in[3], in[4]);
    memset(in, -1, sizeof in);
    MPI_Neighbor_alltoallw(out, one, send_bytes, send_types, in, one, receive_bytes, receive_types,
                           comm);
    say("%s alltoallw %d %d %d", what, in[0], in[4], in[5]);
    memset(in, -1, sizeof in);
    MPI_Ineighbor_alltoallw(out, one, send_bytes, send_types, in, one, receive_bytes,
                            receive_types, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("%s ialltoallw %d %d %d", what, in[0], in[4], in[5]);
}

static void persistent(const char *what, MPI_Comm comm)
{
#if MPI_VERSION >= 4
    int in[2] = {-1, -1}, mine = rank, out[2], across[2] = {-1, -1};
    MPI_Request requests[2];

    MPI_Neighbor_allgather_init(&mine, 1, MPI_INT, in, 1, MPI_INT, comm, MPI_INFO_NULL,
                                &requests[0]);
    MPI_Neighbor_alltoall_init(out, 1, MPI_INT, across, 1, MPI_INT, comm, MPI_INFO_NULL,
                               &requests[1]);
    for (int round = 0; round < 2; round++) {
        mine = 10 * round + rank;
        out[0] = mine + 100, out[1] = mine + 200;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        say("%s persistent %d %d across %d %d", what, in[0], in[1], across[0], across[1]);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#else
    (void)what, (void)comm;
#endif
}

int main(int argc, char **argv)
{
    MPI_Comm comm;

    begin(&argc, &argv);
    for (int periodic = 0; periodic < 2; periodic++) {
        const char *what = periodic ? "ring" : "line";
        MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &comm);
        exchange(what, comm);
        persistent(what, comm);
        MPI_Comm_free(&comm);
    }
    return finish();
}
