/*
 * A send is cancelled, as a standard, buffered or synchronous one: it is withdrawn, or it is
 * received already.  If nobody could have received it, a cancel fails all the same if the send is buffered (D5); and the wait
 * for it never has to wait for anybody, whatever MPI buffers.
 *
 * explore: -n 2 infinite -- standard: runs 2 clean 2
 * explore: -n 2 zero -- standard: runs 2 clean 2
 * explore: -n 2 any -- standard: runs 2 clean 2
 * explore: -n 2 any -- buffered: runs 2 clean 2
 * explore: -n 2 any -- persistent: runs 2 clean 2
 * explore: -n 2 any -- synchronous: runs 2 clean 2
 * explore: -n 2 any -- standard late: runs 2 clean 2
 * explore: -n 2 infinite -- standard late: runs 2 clean 2
 * explore: -n 2 zero -- standard late: runs 1 clean 1
 * explore: -n 2 any -- buffered late: runs 2 clean 2
 * explore: -n 2 any -- synchronous late: runs 1 clean 1
 */
#include <mpi.h>
#include <string.h>

enum { MESSAGE, VERDICT };

static char buffer[4096];

static void begin(const char *mode, int *value, MPI_Request *request)
{
    if (strcmp(mode, "standard") == 0)
        MPI_Isend(value, 1, MPI_INT, 1, MESSAGE, MPI_COMM_WORLD, request);
    else if (strcmp(mode, "buffered") == 0)
        MPI_Ibsend(value, 1, MPI_INT, 1, MESSAGE, MPI_COMM_WORLD, request);
    else if (strcmp(mode, "synchronous") == 0)
        MPI_Issend(value, 1, MPI_INT, 1, MESSAGE, MPI_COMM_WORLD, request);
    else {
        MPI_Bsend_init(value, 1, MPI_INT, 1, MESSAGE, MPI_COMM_WORLD, request);
        MPI_Start(request);
    }
}

static void send(const char *mode)
{
    int value = 7, cancelled, size;
    void *back;
    MPI_Request request;
    MPI_Status status;
    MPI_Buffer_attach(buffer, sizeof buffer);
    begin(mode, &value, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    MPI_Send(&cancelled, 1, MPI_INT, 1, VERDICT, MPI_COMM_WORLD);
    if (request != MPI_REQUEST_NULL)
        MPI_Request_free(&request);
    MPI_Buffer_detach(&back, &size);
}

/* Late: nobody could have received it before it was cancelled. */
static void receive(int late)
{
    int value, cancelled;
    MPI_Request request;
    if (!late)
        MPI_Irecv(&value, 1, MPI_INT, 0, MESSAGE, MPI_COMM_WORLD, &request);
    MPI_Recv(&cancelled, 1, MPI_INT, 0, VERDICT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!late && cancelled)
        MPI_Cancel(&request);
    if (!late)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    else if (!cancelled)
        MPI_Recv(&value, 1, MPI_INT, 0, MESSAGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        send(argv[1]);
    else
        receive(argc > 2);
    MPI_Finalize();
    return 0;
}
