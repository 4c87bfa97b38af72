/*
 * A send that waits for a receive which is posted, with another tag.
 *
 * run: -n 2
 * compare: none
 * exit: 1
 * expect: rank 0 MPI_Ssend at HERE
 * expect: "rank 1 has posted a receive, but with tag 4, not 3"
 * expect: "likely culprits: ranks 0 and 1, whose send and receive do not agree on the tag"
 */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Request request;
    int v = 0;

    begin(&argc, &argv);
    if (rank == 1)
        MPI_Irecv(&v, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
    if (rank == 0)
        MPI_Ssend(&v, 1, MPI_INT, 1, 3, MPI_COMM_WORLD); /* HERE */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}
