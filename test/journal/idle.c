/*
 * Workers ask a master for work, who does some of it itself between polls.  It stops when the first of them has got nothing, and others poll for
 * ever for its answer.
 */
#include <mpi.h>

enum { ASK = 1, GIVE, WORK = 4 };

static void master(void)
{
    int work = WORK, give = 1;

    for (int i = 0; give; i++) {
        int flag, any;
        MPI_Message message;
        MPI_Status status;

        if (work && i % 2 == 0)
            work--;
        MPI_Improbe(MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &flag, &message, &status);
        if (!flag)
            continue;
        MPI_Mrecv(&any, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        give = work > 0;
        work -= give;
        MPI_Send(&give, 1, MPI_INT, status.MPI_SOURCE, GIVE, MPI_COMM_WORLD);
    }
}

static void worker(int rank)
{
    for (int got = 1; got;) {
        int flag = 0;
        MPI_Request request;

        MPI_Irecv(&got, 1, MPI_INT, 0, GIVE, MPI_COMM_WORLD, &request);
        MPI_Send(&rank, 1, MPI_INT, 0, ASK, MPI_COMM_WORLD);
        while (!flag)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank)
        worker(rank);
    else
        master();
    MPI_Finalize();
    return 0;
}
