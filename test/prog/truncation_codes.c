/*
 * Messages that are too long: which code each call returns, which statuses have it, and what handlers hear, by whichever
 * call they are completed.
 *
 * run: -n 2
 * run: -n 2 handler
 * compare: each
 * expect: longer than the receive has room for
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static const char *name_of(int code)
{
    int class = class_of(code);
    return class == MPI_SUCCESS         ? "no error"
           : class == MPI_ERR_TRUNCATE  ? "truncated"
           : class == MPI_ERR_IN_STATUS ? "in status"
                                        : "other";
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    printf("handler: %s\n", name_of(*code));
}

/* Of MPI_ERROR only where MPI sets it. */
static void say(const char *call, int code, const MPI_Status *status)
{
    printf("%s: %s, source %d, tag %d", call, name_of(code), status->MPI_SOURCE, status->MPI_TAG);
    if (class_of(code) == MPI_ERR_IN_STATUS)
        printf(", status %s", name_of(status->MPI_ERROR));
    printf("\n");
}

static void receive_all(void)
{
    int v[4], index, n = 0, flag = 0, code;
    MPI_Request request;
    MPI_Status status;
    MPI_Message message;

    memset(&status, 0, sizeof status);
    code = MPI_Recv(v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
    say("MPI_Recv", code, &status);
#define POST(tag) MPI_Irecv(v, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &request)
    POST(1);
    code = MPI_Wait(&request, &status);
    say("MPI_Wait", code, &status);
    POST(2);
    code = MPI_Waitall(1, &request, &status);
    say("MPI_Waitall", code, &status);
    POST(3);
    code = MPI_Waitsome(1, &request, &n, &index, &status);
    say("MPI_Waitsome", code, &status);
    POST(4);
    code = MPI_Waitany(1, &request, &index, &status);
    say("MPI_Waitany", code, &status);
    POST(5);
    while (!flag)
        code = MPI_Test(&request, &flag, &status);
    say("MPI_Test", code, &status);
    POST(6);
    for (flag = 0; !flag;)
        code = MPI_Testall(1, &request, &flag, &status);
    say("MPI_Testall", code, &status);
    POST(7);
    for (n = 0; n == 0;)
        code = MPI_Testsome(1, &request, &n, &index, &status);
    say("MPI_Testsome", code, &status);
    MPI_Mprobe(0, 8, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    code = MPI_Mrecv(v, 1, MPI_INT, &message, &status);
    say("MPI_Mrecv", code, &status);
    POST(9);
    for (flag = 0; !flag;)
        code = MPI_Request_get_status(request, &flag, &status);
    say("MPI_Request_get_status", code, &status);
    code = MPI_Wait(&request, &status);
    say("MPI_Wait", code, &status);
}

int main(int argc, char **argv)
{
    int rank, v[4] = {1, 2, 3, 4};
    MPI_Errhandler handler;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, argc > 1 ? handler : MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
    for (int tag = 0; tag < 10 && rank == 0; tag++)
        MPI_Send(v, 4, MPI_INT, 1, tag, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD); /* all are there, so no poll is told no */
    if (rank == 1)
        receive_all();
    MPI_Finalize();
    return 0;
}
