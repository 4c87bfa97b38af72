/*
 * MPI_Request_free of an active send: MPI allows it, and then nothing but an answer of the receiver can tell when the
 * buffer may be used again.  That is a note; none if the send is known to be complete, or brings nothing.
 *
 * check: -n 2 -- active: request-state note FREE
 * runs: -n 2 -- active: 1, merged 1
 * check: -n 2 -- synchronous: request-state note FREE
 * runs: -n 2 -- synchronous: 1, merged 1
 * check: -n 2 -- persistent: request-state note FREE
 * runs: -n 2 -- persistent: 1, merged 1
 * check: -n 2 -- complete: none
 * runs: -n 2 -- complete: 1, merged 1
 * check: -n 2 -- inactive: none
 * runs: -n 2 -- inactive: 1, merged 1
 * check: -n 2 -- empty: none
 * runs: -n 2 -- empty: 1, merged 1
 * check: -n 2 --buffering=zero -- active: request-state note FREE
 * runs: -n 2 --buffering=zero -- active: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

static const char *how;
static int value;

static int is(const char *word)
{
    return strcmp(how, word) == 0;
}

static void begin(MPI_Request *request)
{
    if (is("persistent") || is("inactive"))
        MPI_Send_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, request);
    else if (is("synchronous"))
        MPI_Issend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, request);
    else
        MPI_Isend(&value, !is("empty"), MPI_INT, 1, 0, MPI_COMM_WORLD, request);
    if (is("persistent") || is("inactive"))
        MPI_Start(request);
}

static void send(void)
{
    MPI_Request request;
    int flag = 0;

    begin(&request);
    while (is("complete") && !flag)
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    if (is("inactive"))
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request); /* FREE */
    MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    how = argv[1];
    if (rank == 0) {
        send();
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
