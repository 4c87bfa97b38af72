/*
 * Buffers that are larger than the variable that they are in: static, global, of this function or of its caller.
 * What is behind the variable is another one, so nothing crashes.
 *
 * check: -n 2 -- global: buffer-overflow error SEND
 * runs: -n 2 -- global: 1, merged 1
 * check: -n 2 -- static: buffer-overflow error SEND
 * runs: -n 2 -- static: 1, merged 1
 * check: -n 2 -- interior: buffer-overflow error SEND
 * runs: -n 2 -- interior: 1, merged 1
 * check: -n 2 -- local: buffer-overflow error LOCAL
 * runs: -n 2 -- local: 1, merged 1
 * check: -n 2 -- callers: buffer-overflow error SEND
 * runs: -n 2 -- callers: 1, merged 1
 * check: -n 2 -- scalar: buffer-overflow error SCALAR
 * runs: -n 2 -- scalar: 1, merged 1
 * check: -n 2 -- block: buffer-overflow error BLOCK
 * runs: -n 2 -- block: 1, merged 1
 * check: -n 2 -- gather: buffer-overflow error GATHER
 * runs: -n 2 -- gather: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

int before[10], global[10], behind[10], table[20];
static int rank;

static void pass(const void *buf, int count)
{
    int room[40];
    if (rank == 0)
        MPI_Send(buf, count, MPI_INT, 1, 0, MPI_COMM_WORLD); /* SEND */
    else
        MPI_Recv(room, 40, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void pass_local(int count)
{
    int room[10] = {0}, more[10] = {0};
    if (rank == 0)
        MPI_Send(room, count, MPI_INT, 1, 0, MPI_COMM_WORLD); /* LOCAL */
    else
        MPI_Recv(table, 20, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    before[0] = more[0];
}

static void pass_scalar(int value, int count)
{
    int copy = value, other = value, room[10];
    if (rank == 0)
        MPI_Send(&copy, count, MPI_INT, 1, 0, MPI_COMM_WORLD); /* SCALAR */
    else
        MPI_Recv(room, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    before[0] = other;
}

static void pass_block(int count)
{
    int room[20] = {0};
    for (int i = 0; i < 1; i++) {
        int inner[6] = {0};
        if (rank == 0)
            MPI_Send(inner, count, MPI_INT, 1, 0, MPI_COMM_WORLD); /* BLOCK */
        else
            MPI_Recv(room, 20, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    static int kept[10], more[10];
    int mine[10] = {0}, all[10];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *what = argv[1];
    if (!strcmp(what, "global"))
        pass(global, 11);
    if (!strcmp(what, "static"))
        pass(kept, 12);
    if (!strcmp(what, "interior"))
        pass(global + 5, 6);
    if (!strcmp(what, "local"))
        pass_local(11);
    if (!strcmp(what, "callers"))
        pass(mine, 11);
    if (!strcmp(what, "scalar"))
        pass_scalar(1, 2);
    if (!strcmp(what, "block"))
        pass_block(8);
    if (!strcmp(what, "gather"))
        MPI_Gather(mine, 6, MPI_INT, all, 6, MPI_INT, 0, MPI_COMM_WORLD); /* GATHER */
    more[0] = kept[0];
    MPI_Finalize();
    return 0;
}
