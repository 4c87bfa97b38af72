/*
 * Whoever comes first decides what is called; in the twin only the order of a sum.
 *
 * check: -n 3: message-race warning RECV
 * check: -n 3 -- sum: none
 * check: -n 3 -W message-race=note -- sum: message-race note SUM
 * check: -n 3 -W message-race=off: none
 * check: -n 3 -W message-race=error: message-race error RECV
 */
#include <mpi.h>

static void first_come(int rank)
{
    int value[2];
    MPI_Status status;

    if (rank == 0) {
        MPI_Recv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status); /* RECV */
        MPI_Recv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (status.MPI_SOURCE == 1)
            MPI_Send(value, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
        else
            MPI_Send(value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 1)
        MPI_Recv(value, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sum(int rank)
{
    int value, sum = 0;
    MPI_Status status;

    for (int i = 0; rank == 0 && i < 2; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status); /* SUM */
        sum += value;
        if (status.MPI_SOURCE == 1)
            MPI_Send(&sum, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        else
            MPI_Send(&sum, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
    }
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&sum, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (argc > 1 ? sum : first_come)(rank);
    MPI_Finalize();
    return 0;
}
