/*
 * A rank polls until the cycle counter of the processor has gone on by three thousand million, and then gives up, which is wrong.
 * The instruction that reads the counter is trapped, so it shows virtual time, like all clocks.
 *
 * check: -n 2: abort error GIVES_UP
 * check: -n 2: portability note ASKS
 * runs: -n 2: 3, merged 2
 */
#include <mpi.h>
#include <x86intrin.h>

static void hear(void)
{
    int value, done = 0;
    MPI_Request request;
    unsigned long long end = __rdtsc() + 3000000000ull;

    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    while (!done && __rdtsc() < end)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* ASKS */
    if (!done)
        MPI_Abort(MPI_COMM_WORLD, 9); /* GIVES_UP */
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        hear();
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
