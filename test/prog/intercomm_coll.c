/*
 * Collectives on an intercommunicator with groups of one and two ranks: data go
 * from one group to the other; a root is MPI_ROOT in its own group.
 *
 * run: -n 3
 */
#include "check.h"

static MPI_Comm inter;
static int side, here, there, me;

/* What to pass as root when rank `root` of side `from` is the one. */
static int root_for(int from, int root)
{
    if (side != from)
        return root;
    return me == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void rooted(void)
{
    for (int from = 0; from < 2; from++) {
        int root = root_for(from, 0), value = 10 * rank + 5, sum = -1, all[4] = {-1, -1, -1, -1};
        int parts[4] = {70, 71, 72, 73}, part = -1;
        MPI_Bcast(&value, 1, MPI_INT, root, inter);
        MPI_Reduce(&(int){rank + 1}, &sum, 1, MPI_INT, MPI_SUM, root, inter);
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, root, inter);
        MPI_Scatter(parts, 1, MPI_INT, &part, 1, MPI_INT, root, inter);
        say("from side %d: bcast %d reduce %d gather %d %d scatter %d", from, value, sum, all[0],
            all[1], part);
    }
}

static void all_to_all(void)
{
    int mine[4] = {100 * rank, 100 * rank + 1, 100 * rank + 2, 0}, got[8], sum = -1;
    int counts[2] = {1, 1}, places[2] = {1, 0};

    memset(got, -1, sizeof got);
    MPI_Barrier(inter);
    MPI_Allgather(mine, 2, MPI_INT, got, 2, MPI_INT, inter);
    say_ints("allgather", got, 2 * there);
    memset(got, -1, sizeof got);
    MPI_Allgatherv(mine, 1, MPI_INT, got, counts, places, MPI_INT, inter);
    say_ints("allgatherv", got, 2);
    memset(got, -1, sizeof got);
    MPI_Alltoall(mine, 1, MPI_INT, got, 1, MPI_INT, inter);
    say_ints("alltoall", got, there);
    MPI_Allreduce(&(int){rank + 1}, &sum, 1, MPI_INT, MPI_SUM, inter);
    say("allreduce %d", sum);
    CHECK(sum == (side ? 1 : 5));
    /* Two elements each: one for each of two ranks, two for a single one. */
    memset(got, -1, sizeof got);
    MPI_Reduce_scatter_block(mine, got, 2 / here, MPI_INT, MPI_MAX, inter);
    say_ints("reduce_scatter_block", got, 2);
}

static void without_waiting(void)
{
    int value = rank + 50, sum = -1, got[2] = {-1, -1};
    MPI_Request requests[4];

    MPI_Ibarrier(inter, &requests[0]);
    MPI_Ibcast(&value, 1, MPI_INT, root_for(1, 1), inter, &requests[1]);
    MPI_Iallreduce(&(int){rank}, &sum, 1, MPI_INT, MPI_MAX, inter, &requests[2]);
    MPI_Iallgather(&rank, 1, MPI_INT, got, 1, MPI_INT, inter, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    say("non-blocking: bcast %d allreduce %d allgather %d %d", value, sum, got[0], got[1]);
}

int main(int argc, char **argv)
{
    MPI_Comm local;

    begin(&argc, &argv);
    side = rank > 0;
    MPI_Comm_split(MPI_COMM_WORLD, side, 0, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, side ? 0 : 1, 3, &inter);
    MPI_Comm_rank(inter, &me);
    MPI_Comm_size(inter, &here);
    MPI_Comm_remote_size(inter, &there);
    rooted();
    all_to_all();
    without_waiting();
    MPI_Comm_free(&local);
    MPI_Comm_free(&inter);
    return finish();
}
