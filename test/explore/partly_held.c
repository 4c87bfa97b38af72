/*
 * Rank 2 waits for a send and a receive at once.  If neither that send nor the first one of rank 1 is buffered, both ranks are held up, and the
 * send of rank 2 alone is the cause.  To loosen it does not let rank 2 go, for it still waits for rank 1: which is the next cause.  Only when
 * both are buffered, the last wait of rank 2 may hold it up.
 *
 * explore: -n 3 infinite: runs 1 clean 1
 * explore: -n 3 any: runs 1 clean 1 cuts 3
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, number = 0, heard;
    MPI_Request early, both[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&number, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Isend(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &early);
        MPI_Irecv(&heard, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &both[0]);
        MPI_Isend(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        MPI_Wait(&early, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
