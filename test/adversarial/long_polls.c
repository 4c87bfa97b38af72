/*
 * Two ranks exchange messages for many rounds, and poll for them.  The first run is made ahead of the search, without a look at
 * any poll: what comes of it must be what the search comes to, and be told once.  With `wrong` both wait for the other when
 * the rounds are over; with `code` rank 1 ends with another exit code.
 *
 * check: -n 2 -- 120: none
 * runs: -n 2 -- 120: merged 1
 * check: -n 2 -- 120 wrong: deadlock error WAITS
 * runs: -n 2 -- 120 wrong: merged 1
 * check: -n 2 -- 120 code: exit-code error -
 * runs: -n 2 -- 120 code: merged 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, out = 0, in = 0, done;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < atoi(argv[1]); i++) {
        MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[1]);
        for (done = 0; !done;)
            MPI_Test(&request[0], &done, MPI_STATUS_IGNORE);
        MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    }
    if (argc > 2 && !strcmp(argv[2], "wrong"))
        MPI_Recv(&in, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
    MPI_Finalize();
    return argc > 2 && !strcmp(argv[2], "code") ? rank : 0;
}
