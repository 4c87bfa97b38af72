/*
 * Request-based operations, with all ways to wait for them.
 *
 * run: -n 2
 * check: -n 2: none
 */
#include <stddef.h>

#include <mpi.h>

#include "check_value.h"

enum { PLACES = 8 };

static MPI_Win win;
static int other;

static void put_and_get(void)
{
    int values[4] = {1, 2, 3, 4}, back[4] = {0}, flag = 0;
    MPI_Request request;
    MPI_Status status;

    MPI_Rput(values, 4, MPI_INT, other, 4 * rank, 4, MPI_INT, win, &request);
    MPI_Wait(&request, &status);
    CHECK(request == MPI_REQUEST_NULL);
    values[0] = 9;
    MPI_Win_flush(other, win);
    MPI_Rget(back, 4, MPI_INT, other, 4 * rank, 4, MPI_INT, win, &request);
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++)
        CHECK(back[i] == i + 1);
}

static void accumulates(void)
{
    int one = 1, two = 2, old[2] = {-1, -1}, now = -1, index;
    MPI_Request requests[2];

    MPI_Raccumulate(&one, 1, MPI_INT, other, 4 * rank, 1, MPI_INT, MPI_SUM, win, &requests[0]);
    MPI_Raccumulate(&two, 1, MPI_INT, other, 4 * rank, 1, MPI_INT, MPI_SUM, win, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Rget_accumulate(&one, 1, MPI_INT, &old[0], 1, MPI_INT, other, 4 * rank, 1, MPI_INT, MPI_SUM, win, &requests[0]);
    MPI_Rget_accumulate(&two, 1, MPI_INT, &old[1], 1, MPI_INT, other, 4 * rank, 1, MPI_INT, MPI_SUM, win, &requests[1]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index == 0 || index == 1);
    MPI_Wait(&requests[1 - index], MPI_STATUS_IGNORE);
    CHECK(old[0] == 4);
    CHECK(old[1] == 5);
    MPI_Rget_accumulate(NULL, 0, MPI_INT, &now, 1, MPI_INT, other, 4 * rank, 1, MPI_INT, MPI_NO_OP, win, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    CHECK(now == 7);
}

static void nobody(void)
{
    int value = 3, old = 4;
    MPI_Request requests[4];

    MPI_Rput(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &requests[0]);
    MPI_Rget(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &requests[1]);
    MPI_Raccumulate(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win, &requests[2]);
    MPI_Rget_accumulate(&value, 1, MPI_INT, &old, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    CHECK(value == 3);
    CHECK(old == 4);
}

int main(int argc, char **argv)
{
    int *window;

    begin(&argc, &argv);
    other = 1 - rank;
    MPI_Win_allocate(PLACES * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    put_and_get();
    accumulates();
    nobody();
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    CHECK(window[4 * other] == 7);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    return end();
}
