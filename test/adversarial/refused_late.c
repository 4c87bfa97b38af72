/*
 * A call that is refused in one order of messages, and a deadlock in the other, at calls that are near to each other in the program: both are told,
 * whichever comes first, and the verdict is that there are defects.
 *
 * check: -n 3 -- 1: deadlock error DEADLOCK
 * check: -n 3 -- 1: unsupported-call warning REFUSED
 * check: -n 3 -- 2: deadlock error DEADLOCK
 * check: -n 3 -- 2: unsupported-call warning REFUSED
 * runs: -n 3 -- 1: 2, merged 2
 * runs: -n 3 -- 2: 2, merged 2
 */
#include <mpi.h>
#include <stdlib.h>

int MPIX_Comm_revoke(MPI_Comm) __attribute__((weak)); /* not every library has it; tourney refuses it by its name */

int main(int argc, char **argv)
{
    int rank, value, wrong = atoi(argv[1]);
    MPI_Status first;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &first);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (first.MPI_SOURCE == wrong)
            MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* DEADLOCK */
        else
            MPIX_Comm_revoke(MPI_COMM_WORLD); /* REFUSED */
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
