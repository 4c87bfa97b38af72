/* [Vo 2011], Fig. 5.1: the message of rank 2 is late for the first receive. */
#include "figure.h"

int main(void)
{
    begin();
    if (rank == 1)
        recv_from(MPI_ANY_SOURCE);
    else
        send_to(1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        recv_from(MPI_ANY_SOURCE);
    MPI_Finalize();
    return 0;
}
