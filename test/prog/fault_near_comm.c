/*
 * A message that would fit, were it on the same communicator.
 *
 * run: -n 2
 * compare: none
 * exit: 1
 * expect: deadlock
 * expect: rank 0 MPI_Probe at HERE
 * expect: "a message from rank 1 has arrived, but on pairs, not on MPI_COMM_WORLD"
 * expect: "likely culprits: ranks 0 and 1, whose send and receive do not agree on the communicator"
 */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Comm pairs;
    int v = 0;

    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &pairs);
    MPI_Comm_set_name(pairs, "pairs");
    if (rank == 1)
        MPI_Send(&v, 1, MPI_INT, 0, 5, pairs);
    if (rank == 0)
        MPI_Probe(1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    return finish();
}
