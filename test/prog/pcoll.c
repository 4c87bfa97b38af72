/*
 * Persistent collectives, where the library has them (MPI 4): each started
 * twice with new values, alone and together. MPICH 4.0 cannot start a scatter
 * again ("invalid communicator"), so that one is started once; it gathers
 * rubbish, so what was gathered is not told.
 *
 * run: -n 3
 * compare: each
 */
#include "check.h"

#if MPI_VERSION >= 4
enum { MAX = 4, CALLS = 17, BCAST = 1, GATHER = 2, SCATTER = 4, EXSCAN = 16, ROUNDS = 2 };

static int in[CALLS][MAX * MAX], out[CALLS][MAX * MAX];
static int ones[MAX] = {1, 1, 1, 1}, places[MAX] = {0, 2, 4, 6}, bytes[MAX] = {0, 4, 8, 12};
static MPI_Datatype ints[MAX];
static MPI_Request requests[CALLS];

static void create(void)
{
    MPI_Comm c = MPI_COMM_WORLD;
    MPI_Info i = MPI_INFO_NULL;
    MPI_Request *q = requests;

    for (int r = 0; r < MAX; r++)
        ints[r] = MPI_INT;
    MPI_Barrier_init(c, i, q++);
    MPI_Bcast_init(in[1], 2, MPI_INT, 1, c, i, q++);
    MPI_Gather_init(in[2], 1, MPI_INT, out[2], 1, MPI_INT, 2, c, i, q++);
    MPI_Gatherv_init(in[3], 1, MPI_INT, out[3], ones, places, MPI_INT, 0, c, i, q++);
    MPI_Scatter_init(in[4], 2, MPI_INT, out[4], 2, MPI_INT, 1, c, i, q++);
    MPI_Scatterv_init(in[5], ones, places, MPI_INT, out[5], 1, MPI_INT, 0, c, i, q++);
    MPI_Allgather_init(in[6], 1, MPI_INT, out[6], 1, MPI_INT, c, i, q++);
    MPI_Allgatherv_init(in[7], 1, MPI_INT, out[7], ones, places, MPI_INT, c, i, q++);
    MPI_Alltoall_init(in[8], 1, MPI_INT, out[8], 1, MPI_INT, c, i, q++);
    MPI_Alltoallv_init(in[9], ones, places, MPI_INT, out[9], ones, places, MPI_INT, c, i, q++);
    MPI_Alltoallw_init(in[10], ones, bytes, ints, out[10], ones, bytes, ints, c, i, q++);
    MPI_Reduce_init(in[11], out[11], 2, MPI_INT, MPI_SUM, 1, c, i, q++);
    MPI_Allreduce_init(in[12], out[12], 2, MPI_INT, MPI_MAX, c, i, q++);
    MPI_Reduce_scatter_init(in[13], out[13], ones, MPI_INT, MPI_SUM, c, i, q++);
    MPI_Reduce_scatter_block_init(in[14], out[14], 1, MPI_INT, MPI_MIN, c, i, q++);
    MPI_Scan_init(in[15], out[15], 1, MPI_INT, MPI_SUM, c, i, q++);
    MPI_Exscan_init(in[16], out[16], 1, MPI_INT, MPI_SUM, c, i, q++);
    CHECK(q == requests + CALLS);
}

static void fill(int round)
{
    for (int i = 0; i < CALLS; i++)
        for (int k = 0; k < MAX * MAX; k++) {
            in[i][k] = 1000 * round + 100 * i + 10 * rank + k;
            out[i][k] = -1;
        }
}

static void show(int round)
{
    char what[40];

    for (int i = 1; i < CALLS; i++) {
        snprintf(what, sizeof what, "round %d call %d:", round, i);
        if (i == BCAST)
            say_ints(what, in[i], 2);
        else if (i != GATHER && (i != EXSCAN || rank > 0)) /* exscan on rank 0 is undefined */
            say_ints(what, out[i], 2 * size);
    }
    CHECK(in[1][0] == 1000 * round + 110 && out[12][1] == 1000 * round + 1221);
}

static void all(void)
{
    create();
    for (int round = 0; round < ROUNDS; round++) {
        fill(round);
        if (round == 0) {
            MPI_Startall(CALLS, requests);
            MPI_Waitall(CALLS, requests, MPI_STATUSES_IGNORE);
        } else {
            for (int i = 0; i < CALLS; i++) {
                if (i == SCATTER)
                    continue;
                MPI_Start(&requests[i]);
                MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            }
        }
        show(round);
    }
    for (int i = 0; i < CALLS; i++)
        MPI_Request_free(&requests[i]);
}
#else
static void all(void)
{
}
#endif

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    all();
    return finish();
}
