/*
 * Every non-blocking collective once, all started before any is waited for.
 *
 * run: -n 3
 */
#include "check.h"

enum { MAX = 4, CALLS = 17 };

static int in[CALLS][MAX * MAX], out[CALLS][MAX * MAX];
static int ones[MAX], places[MAX], bytes[MAX];
static MPI_Datatype ints[MAX];
static MPI_Request requests[CALLS];

static void prepare(void)
{
    for (int r = 0; r < MAX; r++) {
        ones[r] = 1;
        places[r] = 2 * r;
        bytes[r] = r * sizeof(int);
        ints[r] = MPI_INT;
    }
    for (int i = 0; i < CALLS; i++)
        for (int k = 0; k < MAX * MAX; k++) {
            in[i][k] = 100 * i + 10 * rank + k;
            out[i][k] = -1;
        }
}

static void start(void)
{
    MPI_Comm c = MPI_COMM_WORLD;
    MPI_Request *q = requests;

    MPI_Ibarrier(c, q++);
    MPI_Ibcast(in[1], 2, MPI_INT, 1, c, q++);
    MPI_Igather(in[2], 1, MPI_INT, out[2], 1, MPI_INT, 2, c, q++);
    MPI_Igatherv(in[3], 1, MPI_INT, out[3], ones, places, MPI_INT, 0, c, q++);
    MPI_Iscatter(in[4], 2, MPI_INT, out[4], 2, MPI_INT, 1, c, q++);
    MPI_Iscatterv(in[5], ones, places, MPI_INT, out[5], 1, MPI_INT, 0, c, q++);
    MPI_Iallgather(in[6], 1, MPI_INT, out[6], 1, MPI_INT, c, q++);
    MPI_Iallgatherv(in[7], 1, MPI_INT, out[7], ones, places, MPI_INT, c, q++);
    MPI_Ialltoall(in[8], 1, MPI_INT, out[8], 1, MPI_INT, c, q++);
    MPI_Ialltoallv(in[9], ones, places, MPI_INT, out[9], ones, places, MPI_INT, c, q++);
    MPI_Ialltoallw(in[10], ones, bytes, ints, out[10], ones, bytes, ints, c, q++);
    MPI_Ireduce(in[11], out[11], 2, MPI_INT, MPI_SUM, 1, c, q++);
    MPI_Iallreduce(in[12], out[12], 2, MPI_INT, MPI_MAX, c, q++);
    MPI_Ireduce_scatter(in[13], out[13], ones, MPI_INT, MPI_SUM, c, q++);
    MPI_Ireduce_scatter_block(in[14], out[14], 1, MPI_INT, MPI_MIN, c, q++);
    MPI_Iscan(in[15], out[15], 1, MPI_INT, MPI_SUM, c, q++);
    MPI_Iexscan(in[16], out[16], 1, MPI_INT, MPI_SUM, c, q++);
    CHECK(q == requests + CALLS);
}

int main(int argc, char **argv)
{
    static const char *const names[CALLS] = {
        "barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather",
        "allgatherv", "alltoall", "alltoallv", "alltoallw", "reduce", "allreduce",
        "reduce_scatter", "reduce_scatter_block", "scan", "exscan"};

    begin(&argc, &argv);
    prepare();
    start();
    /* The last first: completion need not follow the order of the calls. */
    for (int i = CALLS - 1; i >= CALLS / 2; i--)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    MPI_Waitall(CALLS, requests, MPI_STATUSES_IGNORE);
    for (int i = 1; i < CALLS; i++)
        if (i == 1)
            say_ints(names[i], in[i], 2);
        else if (i < CALLS - 1 || rank > 0) /* exscan on rank 0 is undefined */
            say_ints(names[i], out[i], 2 * size);
    CHECK(in[1][0] == 110 && out[12][1] == 1221 && out[6][size - 1] == 620);
    return finish();
}
