/*
 * MPI_Buffer_detach waits until all messages have left the buffer, and that may be when they are received.  Rank 1 receives
 * behind something that rank 0 sends after it: a deadlock unless MPI keeps the messages elsewhere.  Also if later messages have
 * come and gone since.
 *
 * check: -n 2 -- before: none
 * runs: -n 2 -- before: 1, merged 1
 * check: -n 2 -- after: buffering-deadlock error DETACH
 * runs: -n 2 -- after: 1, merged 1
 * check: -n 2 --buffering=zero -- after: deadlock error DETACH
 * runs: -n 2 --buffering=zero -- after: 1, merged 1
 * check: -n 2 --buffering=infinite -- after: none
 * runs: -n 2 --buffering=infinite -- after: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

enum { FIRST, LATER, BACK, LAST, ROUNDS = 4 };

int main(int argc, char **argv)
{
    int rank, value = 7, size = 2 * (sizeof value + MPI_BSEND_OVERHEAD), after = argv[1][0] == 'a';
    char *buffer = malloc(size);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Buffer_attach(buffer, size);
        MPI_Bsend(&value, 1, MPI_INT, 1, FIRST, MPI_COMM_WORLD);
        for (int i = 0; i < ROUNDS; i++) {
            MPI_Bsend(&value, 1, MPI_INT, 1, LATER, MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_INT, 1, BACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Buffer_detach(&buffer, &size); /* DETACH */
        MPI_Ssend(&value, 1, MPI_INT, 1, LAST, MPI_COMM_WORLD);
    } else {
        for (int i = 0; i < ROUNDS; i++) {
            MPI_Recv(&value, 1, MPI_INT, 0, LATER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&value, 1, MPI_INT, 0, BACK, MPI_COMM_WORLD);
        }
        MPI_Recv(&value, 1, MPI_INT, 0, after ? LAST : FIRST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 0, after ? FIRST : LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}
