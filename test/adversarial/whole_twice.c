/*
 * Each of two collectives may do as it likes: here the first follows its data and the second waits for all.  Rank 1 sends between the two and
 * rank 2 receives after them, so if the send is not buffered and the second waits, nobody goes on: an error.
 *
 * check: -n 3: buffering-deadlock error SEND
 * runs: -n 3: 1, merged 1
 * check: -n 3 --buffering=zero: none
 * runs: -n 3 --buffering=zero: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, word;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD); /* SEND */
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
