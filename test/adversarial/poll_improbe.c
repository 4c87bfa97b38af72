/*
 * Rank 0 tries to take a message 50 times; when it gives up, it uses what it does not have.  With `right` it receives it then.
 *
 * check: -n 2: crash error CRASH
 * check: -n 2: portability note ASKS
 * runs: -n 2: 3, merged 2
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 3, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, value = 0, taken = 0, *got = NULL;
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 0; i < 50 && !taken; i++)
            MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &taken, &message, MPI_STATUS_IGNORE); /* ASKS */
        if (taken) {
            MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
            got = &value;
        } else if (argc == 2) {
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            got = &value;
        }
        value = *(volatile int *)got; /* CRASH */
    }
    MPI_Finalize();
    return 0;
}
