/*
 * The calls with MPI_Count (MPI 4): messages, persistent requests, collectives,
 * datatypes, pack. Counts are small; the interface is what is tried.
 *
 * run: -n 2
 * compare: each
 */
#include "check.h"

#if MPI_VERSION >= 4
static void messages(void)
{
    int peer = 1 - rank, v[3] = {rank, rank + 1, rank + 2}, w[3], x[3] = {0};
    MPI_Count count;
    MPI_Request requests[3];
    MPI_Status status;

    if (rank == 0) {
        MPI_Send_c(v, 3, MPI_INT, peer, 0, MPI_COMM_WORLD);
        MPI_Ssend_c(v, 2, MPI_INT, peer, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv_c(w, 3, MPI_INT, peer, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count_c(&status, MPI_INT, &count);
        say("recv_c %d %d %d, count %d", w[0], w[1], w[2], (int)count);
        MPI_Recv_c(w, 3, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Get_elements_c(&status, MPI_INT, &count);
        CHECK(count == 2);
    }
    MPI_Irecv_c(w, 3, MPI_INT, peer, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend_c(v, 3, MPI_INT, peer, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init_c(x, 3, MPI_INT, peer, 3, MPI_COMM_WORLD, &requests[2]);
    MPI_Start(&requests[2]);
    MPI_Sendrecv_c(v, 3, MPI_INT, peer, 3, NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[2]);
    say("isend_c %d, persistent %d", w[2], x[2]);
    CHECK(w[2] == peer + 2 && x[2] == peer + 2);
}

static void collectives(void)
{
    int v[4] = {rank, 2, 3, 4}, all[8] = {0}, sum[2], got = -1;
    MPI_Count counts[2] = {1, 2};
    MPI_Aint places[2] = {3, 0};
    MPI_Request request;

    MPI_Bcast_c(v, 4, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Allreduce_c(v, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgather_c(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    say("bcast_c %d allreduce_c %d %d allgather_c %d %d", v[0], sum[0], sum[1], all[0], all[1]);
    MPI_Allgatherv_c((int[]){10 * rank, 10 * rank + 1}, counts[rank], MPI_INT, all, counts, places,
                     MPI_INT, MPI_COMM_WORLD);
    say_ints("allgatherv_c", all, 4);
    MPI_Iscan_c(&(int){rank + 1}, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("iscan_c %d", got);
    CHECK(got == (rank ? 3 : 1));
}

static void types(void)
{
    int v[6] = {0, 1, 2, 3, 4, 5}, w[6] = {0};
    char buffer[100];
    MPI_Count bytes, place = 0, low, extent;
    MPI_Datatype type;

    MPI_Type_vector_c(3, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_size_c(type, &bytes);
    MPI_Type_get_extent_c(type, &low, &extent);
    MPI_Pack_c(v, 1, type, buffer, sizeof buffer, &place, MPI_COMM_WORLD);
    place = 0;
    MPI_Unpack_c(buffer, sizeof buffer, &place, w, 3, MPI_INT, MPI_COMM_WORLD);
    say("vector_c: %d bytes, extent %d, unpacked %d %d %d", (int)bytes, (int)extent, w[0], w[1],
        w[2]);
    CHECK(w[2] == 4);
    MPI_Type_free(&type);
}
#else
static void messages(void)
{
}

static void collectives(void)
{
}

static void types(void)
{
}
#endif

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    messages();
    collectives();
    types();
    return finish();
}
