/*
 * The same request is cancelled twice.  A cancel that failed stays so: there are two outcomes, not three, and if nobody asks
 * in between, also with a probe that may see the message.  The next start of a persistent request is another send, which can be cancelled again.
 *
 * check: -n 2 -- isend: none
 * runs: -n 2 -- isend: 2, merged 2
 * check: -n 2 -- persistent: none
 * runs: -n 2 -- persistent: 4, merged 2
 */
#include <mpi.h>

static int value = 7;

static int cancel(MPI_Request *request)
{
    int cancelled;
    MPI_Status status;

    MPI_Cancel(request);
    MPI_Cancel(request);
    MPI_Wait(request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    return cancelled;
}

static void pass_on(int rank, int cancelled)
{
    if (rank == 0)
        MPI_Send(&cancelled, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(&cancelled, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1 && !cancelled)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, persistent = argv[1][0] == 'p', cancelled = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && persistent)
        MPI_Send_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 1 + persistent; i++) {
        if (rank == 0 && persistent)
            MPI_Start(&request);
        else if (rank == 0)
            MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        if (rank == 0)
            cancelled = cancel(&request);
        pass_on(rank, cancelled);
    }
    if (rank == 0 && persistent)
        MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
