/*
 * [Vo 2011], Fig. 5.4 and its text: rank 2's synchronous send is matched by the first receive, so what
 * rank 3 sends because of it comes too late; what rank 0 sends does not.
 */
#include "figure.h"

int main(void)
{
    MPI_Request request;
    int value;
    begin();
    if (rank == 1) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
        recv_from(MPI_ANY_SOURCE);
        recv_from(MPI_ANY_SOURCE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Ssend(&rank, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        send_to(3);
    } else if (rank == 3) {
        recv_from(2);
        send_to(1);
    } else {
        send_to(1);
    }
    MPI_Finalize();
    return 0;
}
