/* [Vo 2011], Fig. 5.3: the match that Lamport clocks cannot see. */
#include "figure.h"

int main(void)
{
    begin();
    if (rank == 0) {
        recv_from(MPI_ANY_SOURCE);
        send_to(2);
    } else if (rank == 1) {
        send_to(0);
        send_to(2);
    } else {
        recv_from(MPI_ANY_SOURCE);
        recv_from(0);
    }
    MPI_Finalize();
    return 0;
}
