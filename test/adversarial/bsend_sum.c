/*
 * The attached buffer has room for one message, and two are sent.  MPI may leave the first one there until it is
 * received, so that there is room for the second is sure only if the sender knows of that: by an answer or a barrier behind the
 * receive, or MPI_Buffer_detach; not by one before it, nor by one behind an MPI_Irecv that is not complete.
 *
 * check: -n 2 -- two: insufficient-buffer error SECOND
 * runs: -n 2 -- two: 1, merged 1
 * check: -n 2 -- roomy: none
 * runs: -n 2 -- roomy: 1, merged 1
 * check: -n 2 -- answered: none
 * runs: -n 2 -- answered: 1, merged 1
 * check: -n 2 -- early: insufficient-buffer error SECOND
 * runs: -n 2 -- early: 1, merged 1
 * check: -n 2 -- pending: insufficient-buffer error SECOND
 * runs: -n 2 -- pending: 1, merged 1
 * check: -n 2 -- barrier: none
 * runs: -n 2 -- barrier: 1, merged 1
 * check: -n 2 -- detached: none
 * runs: -n 2 -- detached: 1, merged 1
 * check: -n 2 --buffering=zero -- two: insufficient-buffer error SECOND
 * runs: -n 2 --buffering=zero -- two: 1, merged 1
 * check: -n 2 --buffering=zero -- detached: none
 * runs: -n 2 --buffering=zero -- detached: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static const char *how;

static int is(const char *word)
{
    return strcmp(how, word) == 0;
}

static void sender(void)
{
    int value = 7, size = (is("roomy") ? 2 : 1) * (sizeof value + MPI_BSEND_OVERHEAD);
    void *buffer = malloc(size), *back;

    MPI_Buffer_attach(buffer, size);
    MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* FIRST */
    if (is("answered") || is("early") || is("pending"))
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (is("barrier"))
        MPI_Barrier(MPI_COMM_WORLD);
    if (is("detached")) {
        MPI_Buffer_detach(&back, &size);
        MPI_Buffer_attach(buffer, size);
    }
    MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* SECOND */
    MPI_Buffer_detach(&back, &size);
    free(buffer);
}

static void receiver(void)
{
    int value = 0;
    MPI_Request request;

    if (is("early"))
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    if (is("pending"))
        MPI_Send(&(int){0}, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (is("answered"))
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (is("barrier"))
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    how = argv[1];
    if (rank == 0)
        sender();
    else
        receiver();
    MPI_Finalize();
    return 0;
}
