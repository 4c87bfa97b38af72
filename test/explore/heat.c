/*
 * Heat conduction on a grid of 2 x 2, with an error: the fourth receive of the halo
 * names no source.  Only rank 0 has a choice there, because all send it their maximum
 * afterwards: besides the right message it may take the maximum of rank 2 or 3, which
 * do not need rank 0 any more, and then waits for that one in vain.  (Rank 1's maximum
 * comes after its halo.)  Nobody waits for the fourth send, so buffering makes no
 * difference: three runs.  (If rank 2's was taken, rank 3 may be stuck in its send, too.)
 *
 * explore: -n 4 infinite: runs 3 clean 1 deadlock 2
 * explore: -n 4 zero: runs 3 clean 1 deadlock 2
 * explore: -n 4 any: runs 3 clean 1 deadlock 2
 */
#include <mpi.h>

enum { HALO, MAXIMUM, RESULT };

int main(int argc, char **argv)
{
    int rank, size, value = 0, other;
    MPI_Request request[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int across = rank ^ 1, along = rank ^ 2; /* periodic: up is down, left is right */
    int to[4] = {along, along, across, across}, from[4] = {along, along, across, MPI_ANY_SOURCE};
    for (int i = 0; i < 4; i++) {
        MPI_Isend(&value, 1, MPI_INT, to[i], HALO, MPI_COMM_WORLD, &request[i]);
        MPI_Recv(&other, 1, MPI_INT, from[i], i < 3 ? HALO : MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 3; i++)
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Recv(&other, 1, MPI_INT, i, MAXIMUM, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i < size; i++)
            MPI_Send(&value, 1, MPI_INT, i, RESULT, MPI_COMM_WORLD);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, MAXIMUM, MPI_COMM_WORLD);
        MPI_Recv(&other, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
