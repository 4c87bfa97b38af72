/* [Vo 2011], Fig. 5.2: what is posted before a barrier may be matched after it. */
#include "figure.h"

int main(void)
{
    MPI_Request request;
    int value = 0;
    begin();
    if (rank == 0)
        MPI_Isend(&rank, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    if (rank == 1)
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        recv_from(MPI_ANY_SOURCE);
    if (rank == 2)
        MPI_Isend(&rank, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
