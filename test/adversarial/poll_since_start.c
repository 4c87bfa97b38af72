/*
 * The time since the start of the program, before MPI_Init, decides when rank 0 stops to ask: after ten minutes.  Then it does
 * not take the message.  With `right` it does.
 *
 * check: -n 2: lost-message warning SENT
 * check: -n 2: buffering-deadlock error SENT
 * runs: -n 2: 3, merged 2
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 3, merged 1
 */
#include <mpi.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank, value = 0, seen = 0;
    time_t start = time(NULL);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* SENT */
    } else {
        while (!seen && difftime(time(NULL), start) < 600)
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &seen, MPI_STATUS_IGNORE); /* ASKS */
        if (seen || argc == 2)
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
