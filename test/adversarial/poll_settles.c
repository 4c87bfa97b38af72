/*
 * A rank polls; for so many rounds something changes in it, and then nothing any more.  It never gives up, and the verdict does not say so.
 * (Python's interpreter is like that: it changes the code of a loop when that has gone round for a while.)
 *
 * check: -n 2 -- 17: none
 * runs: -n 2 -- 17: 1, merged 1
 * assumed: -n 2 -- 17: polls: changes something in the rank 17 times, and then nothing any more
 * check: -n 2 -- 40: none
 * runs: -n 2 -- 40: 1, merged 1
 * assumed: -n 2 -- 40: polls: and then nothing any more
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    volatile int changed = 0;
    int rank, flag = 0, word = 0, most = atoi(argv[1]);
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        while (!flag) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            changed += changed < most;
        }
    }
    changed = 0;
    MPI_Finalize();
    return 0;
}
