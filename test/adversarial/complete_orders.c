/*
 * Rank 0 has three requests that are complete when they are made, and nobody else to wait for.  MPI does not say in which order
 * MPI_Waitany names them, so all six are tried; with `relies`, rank 0 takes the order of the list for granted.  Where
 * two remain after the first, other calls end them: with `all`, MPI_Testall, which cannot say no; with `free`,
 * MPI_Request_free; with `cancel`, MPI_Cancel, which comes too late; with `again`, they are started once more and named in any
 * order again; with `one`, there is only one, and nothing to choose.  With `null`, two of three are no requests any more.
 * With `standard` they are sends that rank 0 itself has received, for which there are as many runs.  What was
 * named in which order is forgotten in the end, so that runs come together when rank 0 talks to itself.
 *
 * check: -n 1 -- relies: abort error RELIES
 * runs: -n 1 -- relies: 4, merged 4
 * check: -n 1 -- copes: none
 * runs: -n 1 -- copes: 6, merged 1
 * check: -n 1 -- all: none
 * runs: -n 1 -- all: 3, merged 1
 * check: -n 1 -- free: none
 * runs: -n 1 -- free: 3, merged 1
 * check: -n 1 -- cancel: none
 * runs: -n 1 -- cancel: 3, merged 1
 * check: -n 1 -- again: none
 * runs: -n 1 -- again: 36, merged 1
 * check: -n 1 -- standard: none
 * runs: -n 1 -- standard: 6, merged 1
 * check: -n 1 -- one: none
 * runs: -n 1 -- one: 1, merged 1
 * check: -n 1 -- null: none
 * runs: -n 1 -- null: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

enum { MANY = 3 };

static MPI_Request request[MANY];

static int is(char **argv, const char *what)
{
    return strcmp(argv[1], what) == 0;
}

static void require(int holds)
{
    if (!holds)
        MPI_Abort(MPI_COMM_WORLD, 2);
}

static int next(void)
{
    int index;

    MPI_Waitany(MANY, request, &index, MPI_STATUS_IGNORE);
    return index;
}

static void end_others(char **argv)
{
    int flag = 0, cancelled = 1;
    MPI_Status status[MANY];

    for (int i = 0; i < MANY; i++)
        if (is(argv, "free") && request[i] != MPI_REQUEST_NULL)
            MPI_Request_free(&request[i]);
        else if (is(argv, "cancel") && request[i] != MPI_REQUEST_NULL)
            MPI_Cancel(&request[i]);
    if (is(argv, "free"))
        return;
    MPI_Testall(MANY, request, &flag, status);
    require(flag);
    for (int i = 0; i < MANY; i++) {
        MPI_Test_cancelled(&status[i], &cancelled);
        require(!cancelled);
    }
}

int main(int argc, char **argv)
{
    int value = 0, in[MANY];
    MPI_Request receive[MANY] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    MPI_Init(&argc, &argv);
    for (int i = 0; i < MANY && is(argv, "standard"); i++)
        MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &receive[i]);
    for (int i = 0; i < MANY; i++)
        if (is(argv, "again"))
            MPI_Send_init(&value, 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD, &request[i]);
        else
            MPI_Isend(&value, 1, MPI_INT, is(argv, "standard") ? 0 : MPI_PROC_NULL, i, MPI_COMM_WORLD, &request[i]);
    if (is(argv, "null") || is(argv, "one"))
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    if (is(argv, "all") || is(argv, "free") || is(argv, "cancel")) {
        next();
        end_others(argv);
        require(next() == MPI_UNDEFINED);
    } else if (is(argv, "null")) {
        require(next() == 2);
    } else if (is(argv, "one")) {
        int flag, index;

        MPI_Testany(1, &request[2], &index, &flag, MPI_STATUS_IGNORE);
        require(flag && index == 0);
    } else {
        for (int round = 0; round < 1 + is(argv, "again"); round++) {
            if (is(argv, "again"))
                MPI_Startall(MANY, request);
            for (int i = 0; i < MANY; i++)
                if (next() != i && is(argv, "relies"))
                    MPI_Abort(MPI_COMM_WORLD, 1); /* RELIES */
            require(next() == MPI_UNDEFINED);
        }
    }
    for (int i = 0; i < MANY; i++)
        if (is(argv, "again"))
            MPI_Request_free(&request[i]);
    MPI_Waitall(MANY, receive, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Sendrecv(&value, 1, MPI_INT, 0, 9, &in[0], 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
