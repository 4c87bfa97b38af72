/*
 * Each rank sends to the next one and polls until all have agreed, by a barrier that does not block, that all messages were received.  Who joins it when its
 * send is complete, and not when its message was received, may end before the message of another has come: the send should be synchronous.
 */
#include <mpi.h>

static int count_until_all_agree(MPI_Request sending)
{
    MPI_Request joining;
    int received = 0, joined = 0, over = 0, value;

    while (!over) {
        int flag;
        MPI_Status status;

        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &status);
        if (flag) {
            MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            received++;
        }
        if (joined) {
            MPI_Test(&joining, &over, MPI_STATUS_IGNORE);
            continue;
        }
        MPI_Test(&sending, &joined, MPI_STATUS_IGNORE);
        if (joined)
            MPI_Ibarrier(MPI_COMM_WORLD, &joining);
    }
    return received;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    if (count_until_all_agree(request) != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
