/* What ranks find wrong alone, and together: leaks, a buffer that is used, an operator that is not the same everywhere. */
#include "figure.h"

/* A complaint in the middle of a call that blocks. */
static void shared_buffer(void)
{
    MPI_Request request;
    int value = 0;
    MPI_Isend(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(void)
{
    MPI_Datatype type;
    MPI_Request request;
    MPI_Comm comm;
    int sum, value;
    begin();
    if (rank == 0) {
        MPI_Isend(&number, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
        number++;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        recv_from(0);
        shared_buffer();
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, rank ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
