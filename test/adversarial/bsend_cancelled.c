/*
 * The message of a buffered send leaves the buffer when it is cancelled, if that succeeds.  If it fails, it may still lie there,
 * and there is no room for another.  Also of a persistent request.
 *
 * check: -n 2 -- ibsend: insufficient-buffer error AGAIN
 * runs: -n 2 -- ibsend: 2, merged 2
 * check: -n 2 -- persistent: insufficient-buffer error AGAIN
 * runs: -n 2 -- persistent: 2, merged 2
 * check: -n 2 -- asks: none
 * runs: -n 2 -- asks: 2, merged 2
 */
#include <mpi.h>
#include <stdlib.h>

static int value = 7;

static void send_again(int asks, int cancelled)
{
    void *back;
    int size;

    if (asks && !cancelled) {
        MPI_Buffer_detach(&back, &size);
        MPI_Buffer_attach(back, size);
    }
    MPI_Bsend(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD); /* AGAIN */
    MPI_Buffer_detach(&back, &size);
    free(back);
}

static void sender(const char *how)
{
    int size = sizeof value + MPI_BSEND_OVERHEAD, cancelled;
    MPI_Request request;
    MPI_Status status;

    MPI_Buffer_attach(malloc(size), size);
    if (how[0] == 'p')
        MPI_Bsend_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Ibsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    if (how[0] == 'p')
        MPI_Start(&request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (how[0] == 'p')
        MPI_Request_free(&request);
    MPI_Ssend(&cancelled, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    send_again(how[0] == 'a', cancelled);
}

int main(int argc, char **argv)
{
    int rank, cancelled;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        sender(argv[1]);
    } else {
        MPI_Recv(&cancelled, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!cancelled)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
