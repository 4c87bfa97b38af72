/*
 * Rank 0 asks for the request of MPI_Rput, or of MPI_Raccumulate with `sum`: a test may say no until it has said yes, or the operation is complete at
 * its origin (MPI-4.0, 12.3.5; W20).  A loop until it says yes is a wait.
 *
 * explore: -n 2 infinite -- test: runs 2 clean 2
 * explore: -n 2 zero -- test: runs 2 clean 2
 * explore: -n 2 any -- test: runs 2 clean 2
 * explore: -n 2 infinite -- test sum: runs 2 clean 2
 * explore: -n 2 infinite -- loop: runs 1 clean 1
 * explore: -n 2 any -- loop: runs 1 clean 1
 * explore: -n 2 infinite -- thrice: runs 4 clean 4
 * explore: -n 2 infinite -- flushed: runs 1 clean 1
 * explore: -n 2 infinite -- status: runs 3 clean 3
 * explore: -n 2 infinite -- waitany: runs 2 clean 2
 * explore: -n 2 infinite -- waitsome: runs 3 clean 3
 * explore: -n 2 infinite -- testany: runs 3 clean 3
 * explore: -n 2 infinite -- testall: runs 2 clean 2
 * explore: -n 2 infinite -- null: runs 1 clean 1
 * explore: -n 2 infinite -- often: runs 32 clean 32
 * merged: -n 2 infinite -- often: runs 1 clean 1
 * merged: -n 2 any -- often: runs 1 clean 1
 */
#include <mpi.h>
#include <string.h>

static const char *how;
static MPI_Request request[2];
static int flag, at[2], count;

static int is(const char *name)
{
    return strcmp(how, name) == 0;
}

/* What the tests say makes no difference for long. */
static void ask_often(MPI_Win win)
{
    for (int i = 0, value = 1; i < 5; i++) {
        MPI_Raccumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win, &request[0]);
        MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        flag = 0;
    }
}

static void ask(MPI_Win win)
{
    if (is("loop"))
        while (!flag)
            MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    if (is("flushed"))
        MPI_Win_flush_local(1, win);
    if (is("status"))
        MPI_Request_get_status(request[0], &flag, MPI_STATUS_IGNORE);
    for (int i = 0; i < (is("thrice") ? 3 : is("test") || is("flushed") || is("status") || is("null")) && request[0] != MPI_REQUEST_NULL; i++)
        MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    if (is("waitany"))
        MPI_Waitany(2, request, at, MPI_STATUS_IGNORE);
    if (is("waitsome"))
        MPI_Waitsome(2, request, &count, at, MPI_STATUSES_IGNORE);
    if (is("testany"))
        MPI_Testany(2, request, at, &flag, MPI_STATUS_IGNORE);
    if (is("testall"))
        MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, value = 7, got, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    how = argv[1];
    request[0] = request[1] = MPI_REQUEST_NULL;
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        if (is("waitany") || is("waitsome") || is("testany") || is("testall"))
            MPI_Irecv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[1]);
        if (is("often"))
            ask_often(win);
        else if (argc > 2)
            MPI_Raccumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win, &request[0]);
        else
            MPI_Rput(&value, 1, MPI_INT, is("null") ? MPI_PROC_NULL : 1, 0, 1, MPI_INT, win, &request[0]);
        ask(win);
        if ((is("flushed") || is("loop")) && !flag)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        MPI_Win_unlock(1, win);
    } else if (is("waitany") || is("waitsome") || is("testany") || is("testall")) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
