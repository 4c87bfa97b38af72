/*
 * What is guaranteed about the matching receive when a synchronous send completes?  Fig. 1 of
 * [Palmer 2007] and the third line of its Fig. 10: tags make the synchronous send
 * meet the second of three receives, and two ready sends follow.  The first is correct, since the
 * receive before the second one has been posted; the second ready send is not.
 */
#include <mpi.h>

enum { RECVS = 3 };

int main(int argc, char **argv)
{
    int rank, data[RECVS] = {7, 6, 0};
    MPI_Request request[RECVS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < RECVS; i++)
            MPI_Irecv(&data[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]);
    } else {
        MPI_Issend(&data[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        MPI_Irsend(&data[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Irsend(&data[2], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request[2]);
    }
    for (int i = rank; i < RECVS; i++) /* rank 1 has waited for its first */
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
