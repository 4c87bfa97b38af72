/* Rank 0 hears from the others in any order, so that it is copied between its receives: who is next. */
#include <mpi.h>

static int take_one(void)
{
    int from;
    MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return from;
}
