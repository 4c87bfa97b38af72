/* One rank polls for two messages in turn, so often in vain; then it sends the second one. */
#include "figure.h"

int main(int argc, char **argv)
{
    int flag = 0, times = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Request request = MPI_REQUEST_NULL;
    begin();
    for (int i = 0; !flag; i++) {
        if (i == times)
            MPI_Isend(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
        MPI_Iprobe(0, 4, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Iprobe(0, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    recv_from(0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
