/*
 * All calls of MPI 4.0 that take counts of the type MPI_Count, on small data, each beside what must come out.
 *
 * run: -n 2
 * mpi: mpich
 */
#include "check.h"

enum { N = 4 };
static int v[N], w[N], other;
static const MPI_Count one = 1, ones[2] = {1, 1};
static const MPI_Aint places[2] = {0, 1}, byte_places[2] = {0, sizeof(int)};
static const MPI_Datatype ints[2] = {MPI_INT, MPI_INT};
static MPI_Comm ring;

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        v[i] = 10 * rank + i;
        w[i] = -1;
    }
}

static void tell(const char *call)
{
    say_ints(call, w, N);
    fill();
}

static void wait_for(const char *call, MPI_Request *request)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
    tell(call);
}

/* A persistent one, twice. */
static void start_twice(MPI_Request *request)
{
    for (int i = 0; i < 2; i++) {
        MPI_Start(request);
        MPI_Wait(request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(request);
}

#define BLOCKING(name, ...) (MPI_##name##_c(__VA_ARGS__), tell(#name))
#define PENDING(name, ...) (MPI_##name##_c(__VA_ARGS__, &request), wait_for(#name, &request))
/* Those of MPICH 4.0 itself do not always bring what they must. */
#ifdef PERSISTENT
#define PERSISTENT_TOO(name, ...)                                     \
    do {                                                              \
        int expected[N];                                              \
        MPI_##name##_c(__VA_ARGS__);                                  \
        memcpy(expected, w, sizeof w);                                \
        fill();                                                       \
        MPI_##name##_init_c(__VA_ARGS__, MPI_INFO_NULL, &request);    \
        start_twice(&request);                                        \
        CHECK(memcmp(expected, w, sizeof w) == 0);                    \
        fill();                                                       \
    } while (0)
#else
#define PERSISTENT_TOO(...) (void)0
#endif
/* In all three forms. */
#define COLLECTIVE(name, ...)                                  \
    do {                                                       \
        MPI_Request request;                                   \
        BLOCKING(name, __VA_ARGS__);                           \
        MPI_I##name(__VA_ARGS__, &request);                    \
        wait_for(#name, &request);                             \
        PERSISTENT_TOO(name, __VA_ARGS__);                     \
    } while (0)
#define MPI_IAllgather MPI_Iallgather_c
#define MPI_IAllgatherv MPI_Iallgatherv_c
#define MPI_IAllreduce MPI_Iallreduce_c
#define MPI_IAlltoall MPI_Ialltoall_c
#define MPI_IAlltoallv MPI_Ialltoallv_c
#define MPI_IAlltoallw MPI_Ialltoallw_c
#define MPI_IBcast MPI_Ibcast_c
#define MPI_IExscan MPI_Iexscan_c
#define MPI_IGather MPI_Igather_c
#define MPI_IGatherv MPI_Igatherv_c
#define MPI_INeighbor_allgather MPI_Ineighbor_allgather_c
#define MPI_INeighbor_allgatherv MPI_Ineighbor_allgatherv_c
#define MPI_INeighbor_alltoall MPI_Ineighbor_alltoall_c
#define MPI_INeighbor_alltoallv MPI_Ineighbor_alltoallv_c
#define MPI_INeighbor_alltoallw MPI_Ineighbor_alltoallw_c
#define MPI_IReduce MPI_Ireduce_c
#define MPI_IReduce_scatter MPI_Ireduce_scatter_c
#define MPI_IReduce_scatter_block MPI_Ireduce_scatter_block_c
#define MPI_IScan MPI_Iscan_c
#define MPI_IScatter MPI_Iscatter_c
#define MPI_IScatterv MPI_Iscatterv_c

static void collectives(void)
{
    COLLECTIVE(Allgather, v, one, MPI_INT, w, one, MPI_INT, MPI_COMM_WORLD);
    COLLECTIVE(Allgatherv, v, one, MPI_INT, w, ones, places, MPI_INT, MPI_COMM_WORLD);
    COLLECTIVE(Allreduce, v, w, (MPI_Count)2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    COLLECTIVE(Alltoall, v, one, MPI_INT, w, one, MPI_INT, MPI_COMM_WORLD);
    COLLECTIVE(Alltoallv, v, ones, places, MPI_INT, w, ones, places, MPI_INT, MPI_COMM_WORLD);
    COLLECTIVE(Alltoallw, v, ones, byte_places, ints, w, ones, byte_places, ints, MPI_COMM_WORLD);
    COLLECTIVE(Bcast, rank ? w : v, (MPI_Count)2, MPI_INT, 0, MPI_COMM_WORLD);
    COLLECTIVE(Exscan, v, w, one, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    COLLECTIVE(Gather, v, one, MPI_INT, w, one, MPI_INT, 1, MPI_COMM_WORLD);
    COLLECTIVE(Gatherv, v, one, MPI_INT, w, ones, places, MPI_INT, 1, MPI_COMM_WORLD);
    COLLECTIVE(Reduce, v, w, one, MPI_INT, MPI_MAX, 1, MPI_COMM_WORLD);
    COLLECTIVE(Reduce_scatter, v, w, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    COLLECTIVE(Reduce_scatter_block, v, w, one, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    COLLECTIVE(Scan, v, w, one, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    COLLECTIVE(Scatter, v, one, MPI_INT, w, one, MPI_INT, 1, MPI_COMM_WORLD);
    COLLECTIVE(Scatterv, v, ones, places, MPI_INT, w, one, MPI_INT, 1, MPI_COMM_WORLD);
    COLLECTIVE(Neighbor_allgather, v, one, MPI_INT, w, one, MPI_INT, ring);
    COLLECTIVE(Neighbor_allgatherv, v, one, MPI_INT, w, ones, places, MPI_INT, ring);
    COLLECTIVE(Neighbor_alltoall, v, one, MPI_INT, w, one, MPI_INT, ring);
    COLLECTIVE(Neighbor_alltoallv, v, ones, places, MPI_INT, w, ones, places, MPI_INT, ring);
    COLLECTIVE(Neighbor_alltoallw, v, ones, byte_places, ints, w, ones, byte_places, ints, ring);
}

static void add_up(void *in, void *inout, MPI_Count *n, MPI_Datatype *type)
{
    (void)type;
    for (MPI_Count i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void operators(void)
{
    MPI_Op op;

    MPI_Op_create_c(add_up, 1, &op);
    w[0] = 1;
    MPI_Reduce_local_c(v, w, one, MPI_INT, op);
    tell("Reduce_local");
    BLOCKING(Allreduce, v, w, one, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
}

static char room[4096];

/* Rank 0 sends in all modes; rank 1 has its receives posted before. */
static void send_all_modes(void)
{
    MPI_Request request;
    void *start;
    MPI_Count bytes;

    MPI_Buffer_attach_c(room, sizeof room);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send_c(v, one, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Bsend_c(v, one, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Ssend_c(v, one, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Rsend_c(v, one, MPI_INT, 1, 0, MPI_COMM_WORLD);
    PENDING(Isend, v, one, MPI_INT, 1, 0, MPI_COMM_WORLD);
    PENDING(Ibsend, v, one, MPI_INT, 1, 0, MPI_COMM_WORLD);
    PENDING(Issend, v, one, MPI_INT, 1, 0, MPI_COMM_WORLD);
    PENDING(Irsend, v, one, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send_init_c(v, one, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    start_twice(&request);
    MPI_Bsend_init_c(v, one, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    start_twice(&request);
    MPI_Ssend_init_c(v, one, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    start_twice(&request);
    MPI_Rsend_init_c(v, one, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    start_twice(&request);
    MPI_Send_c(v, one, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Send_c(v, one, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Buffer_detach_c(&start, &bytes);
    CHECK(start == room && bytes == sizeof room);
}

static void receive_all(void)
{
    enum { MODES = 16 };
    MPI_Request request[MODES];
    MPI_Message message;
    MPI_Status status;
    MPI_Count count;
    int got[MODES];

    for (int i = 0; i < MODES; i++)
        MPI_Irecv_c(&got[i], one, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(MODES, request, MPI_STATUSES_IGNORE);
    say_ints("modes", got, MODES);
    MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count_c(&status, MPI_INT, &count);
    MPI_Mrecv_c(w, count, MPI_INT, &message, &status);
    tell("Mrecv");
    MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, &status);
    MPI_Imrecv_c(w, one, MPI_INT, &message, &request[0]);
    wait_for("Imrecv", &request[0]);
}

static void exchanges(void)
{
    MPI_Request request;

    BLOCKING(Sendrecv, v, one, MPI_INT, other, 2, w, one, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    PENDING(Isendrecv, v, one, MPI_INT, other, 2, w, one, MPI_INT, other, 2, MPI_COMM_WORLD);
    w[0] = rank;
    BLOCKING(Sendrecv_replace, w, one, MPI_INT, other, 2, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    w[0] = rank;
    PENDING(Isendrecv_replace, w, one, MPI_INT, other, 2, other, 2, MPI_COMM_WORLD);
}

static void use_type(const char *call, MPI_Datatype type)
{
    MPI_Count lb, extent, size;

    MPI_Type_commit(&type);
    MPI_Type_get_true_extent_c(type, &lb, &extent);
    MPI_Type_size_c(type, &size);
    MPI_Sendrecv_c(v, one, type, other, 3, w, one, type, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("%s: %lld %lld %lld", call, (long long)lb, (long long)extent, (long long)size);
    tell(call);
    MPI_Type_free(&type);
}

#define TYPE(name, ...) (MPI_Type_##name##_c(__VA_ARGS__, &type), use_type(#name, type))

static void types(void)
{
    MPI_Datatype type, inner[1], all[2] = {MPI_INT, MPI_INT};
    MPI_Count lengths[2] = {1, 1}, at[2] = {0, 2}, bytes_at[2] = {0, 8}, sizes[1] = {4}, part[1] = {2}, from[1] = {1};
    MPI_Count integers, addresses, counts, large[2], types_in;
    int combiner, numbers[4];
    MPI_Aint no_addresses[1];

    TYPE(contiguous, 2, MPI_INT);
    TYPE(vector, 2, 1, 2, MPI_INT);
    TYPE(create_hvector, 2, 1, 8, MPI_INT);
    TYPE(indexed, 2, lengths, at, MPI_INT);
    TYPE(create_hindexed, 2, lengths, bytes_at, MPI_INT);
    TYPE(create_indexed_block, 2, 1, at, MPI_INT);
    TYPE(create_hindexed_block, 2, 1, bytes_at, MPI_INT);
    TYPE(create_struct, 2, lengths, bytes_at, all);
    TYPE(create_resized, MPI_INT, 0, 8);
    TYPE(create_subarray, 1, sizes, part, from, MPI_ORDER_C, MPI_INT);
    TYPE(create_darray, 1, 0, 1, sizes, (int[]){MPI_DISTRIBUTE_BLOCK}, (int[]){MPI_DISTRIBUTE_DFLT_DARG}, (int[]){1}, MPI_ORDER_C, MPI_INT);

    MPI_Type_contiguous_c(3, MPI_INT, &type);
    MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types_in, &combiner);
    CHECK(combiner == MPI_COMBINER_CONTIGUOUS && integers + counts == 1 && addresses == 0 && types_in == 1);
    MPI_Type_get_contents_c(type, integers, addresses, counts, types_in, numbers, no_addresses, large, inner);
    CHECK(inner[0] == MPI_INT && (integers ? numbers[0] : (int)large[0]) == 3);
    MPI_Type_free(&type);
}

static void packing(void)
{
    MPI_Count size, at = 0;

    MPI_Pack_size_c(2, MPI_INT, MPI_COMM_WORLD, &size);
    CHECK(size >= 8);
    MPI_Pack_c(v, 2, MPI_INT, room, sizeof room, &at, MPI_COMM_WORLD);
    at = 0;
    MPI_Unpack_c(room, sizeof room, &at, w, 2, MPI_INT, MPI_COMM_WORLD);
    tell("Unpack");
    MPI_Pack_external_size_c("external32", 2, MPI_INT, &size);
    say("external %lld", (long long)size);
    at = 0;
    MPI_Pack_external_c("external32", v, 2, MPI_INT, room, sizeof room, &at);
    at = 0;
    MPI_Unpack_external_c("external32", room, sizeof room, &at, w, 2, MPI_INT);
    tell("Unpack_external");
}

static void windows(void)
{
    MPI_Win win;
    MPI_Request request;
    MPI_Aint bytes, unit;
    int memory[N] = {0}, *part;

    MPI_Win_create_c(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put_c(v, one, MPI_INT, other, rank, one, MPI_INT, win);
    MPI_Accumulate_c(v, one, MPI_INT, other, 2, one, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Get_c(w, one, MPI_INT, other, 2, one, MPI_INT, win);
    MPI_Get_accumulate_c(v, one, MPI_INT, w + 1, one, MPI_INT, other, 3, one, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    tell("window");
    say_ints("memory", memory, N);
    MPI_Win_free(&win);

    MPI_Win_allocate_c(sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &part, &win);
    memset(part, 0, sizeof memory);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, win);
    PENDING(Rput, v, one, MPI_INT, other, 0, one, MPI_INT, win);
    PENDING(Raccumulate, v, one, MPI_INT, other, 1, one, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(other, win);
    PENDING(Rget, w, one, MPI_INT, other, 0, one, MPI_INT, win);
    PENDING(Rget_accumulate, v, one, MPI_INT, w, one, MPI_INT, other, 1, one, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock(other, win);
    MPI_Win_free(&win);

    MPI_Win_allocate_shared_c(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &part, &win);
    MPI_Win_shared_query_c(win, other, &bytes, &unit, &part);
    say("shared %lld %lld", (long long)bytes, (long long)unit);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    other = 1 - rank;
    fill();
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    collectives();
    operators();
    if (rank == 0)
        send_all_modes();
    else
        receive_all();
    exchanges();
    types();
    packing();
    windows();
    MPI_Comm_free(&ring);
    return finish();
}
