/*
 * The same line receives first from anybody, then from rank 1, who may have been the first: only by
 * its callers is it seen which.  With an argument, as many calls deep.
 */
#include <mpi.h>
#include <stdlib.h>

#include "stack_calls.h"

static void solve(int depth)
{
    if (depth > 0) {
        solve(depth - 1); /* DEEPER */
        return;
    }
    exchange(MPI_ANY_SOURCE); /* ANY */
    exchange(1);              /* ONE */
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        solve(argc > 1 ? atoi(argv[1]) : 0); /* SOLVE */
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
