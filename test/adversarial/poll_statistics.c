/*
 * Rank 0 hears from the others in any order and counts how often it asked in vain, which it only prints.  With `never`
 * nobody sends the last message: that is a livelock, whatever it counts.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- never: livelock error ASKS
 * runs: -n 3 -- never: 2, merged 2
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0;
    long vain = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 1; i < size + (argc == 2); i++) {
            int done = 0;

            MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
            while (!done) {
                MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* ASKS */
                vain += !done;
            }
        }
        printf("%ld times in vain\n", vain);
    }
    MPI_Finalize();
    return 0;
}
