/*
 * A ring in rounds: each rank posts, polls until its message is there, and goes on.  To be told no changes nothing in a
 * rank, not even the first time, so its polls are waits.  With `lost` the last message is never sent.
 *
 * check: -n 2 -- 40: none
 * runs: -n 2 -- 40: merged 1
 * check: -n 3 -- 8: none
 * runs: -n 3 -- 8: merged 1
 * check: -n 2 -- 40 lost: livelock error ASKS
 * runs: -n 2 -- 40 lost: merged 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, rounds = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < rounds; i++) {
        int out = i, in, done = 0, lost = argc > 2 && i == rounds - 1;
        MPI_Request request[2];
        MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(&out, 1, MPI_INT, lost ? MPI_PROC_NULL : (rank + 1) % size, 0, MPI_COMM_WORLD, &request[1]);
        while (!done)
            MPI_Test(&request[0], &done, MPI_STATUS_IGNORE); /* ASKS */
        MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
