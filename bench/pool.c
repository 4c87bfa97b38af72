/*
 * Rank 0 has sends of its own pending, each from a buffer of the heap, and polls which of them are done, to reuse their
 * places; rank 1 takes them in order.
 * usage: pool SENDS
 */
#include <mpi.h>
#include <stdlib.h>

enum { MOST = 64 };

static void send_all(int sends)
{
    MPI_Request request[MOST];
    int *buffer[MOST], left = sends, done;

    for (int i = 0; i < sends; i++) {
        buffer[i] = malloc(sizeof *buffer[i]);
        *buffer[i] = i;
        MPI_Isend(buffer[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[i]);
    }
    while (left > 0)
        for (int i = 0; i < sends; i++) {
            if (!buffer[i])
                continue;
            MPI_Test(&request[i], &done, MPI_STATUS_IGNORE);
            if (!done)
                continue;
            free(buffer[i]);
            buffer[i] = NULL;
            left--;
        }
}

int main(int argc, char **argv)
{
    int rank, sends = argc > 1 ? atoi(argv[1]) : 5, value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        send_all(sends);
    for (int i = 0; i < sends && rank == 1; i++)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
