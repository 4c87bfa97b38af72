/*
 * Generalized requests: query, free and cancel are called, the status is theirs.
 *
 * run: -n 2
 */
#include "check.h"

struct work {
    int value, queried, freed, cancelled;
};

static int query(void *extra, MPI_Status *status)
{
    struct work *work = extra;

    work->queried++;
    MPI_Status_set_elements(status, MPI_INT, work->value);
    MPI_Status_set_cancelled(status, work->cancelled > 0);
    status->MPI_SOURCE = 70 + work->value;
    status->MPI_TAG = 80 + work->value;
    return MPI_SUCCESS;
}

static int freed(void *extra)
{
    ((struct work *)extra)->freed++;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    struct work *work = extra;

    if (!complete)
        work->cancelled++;
    return MPI_SUCCESS;
}

static void alone(void)
{
    struct work work = {.value = 3};
    MPI_Request request;
    MPI_Status status;
    int flag, count;

    MPI_Grequest_start(query, freed, cancel, &work, &request);
    MPI_Test(&request, &flag, &status);
    CHECK(!flag);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    say("alone: count %d source %d tag %d", count, status.MPI_SOURCE, status.MPI_TAG);
    CHECK(count == 3 && work.freed == 1 && work.queried >= 1 && request == MPI_REQUEST_NULL);
}

/* With a send and a receive in one Waitall, as an I/O library would. */
static void mixed(void)
{
    struct work work = {.value = 5};
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int got, peer = 1 - rank, count;

    MPI_Irecv(&got, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Grequest_start(query, freed, cancel, &work, &requests[1]);
    MPI_Isend(&rank, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Grequest_complete(requests[1]);
    MPI_Waitall(3, requests, statuses);
    MPI_Get_count(&statuses[1], MPI_INT, &count);
    say("mixed: got %d, count %d tag %d", got, count, statuses[1].MPI_TAG);
    CHECK(got == peer && count == 5 && work.freed == 1);
}

static void cancelled(void)
{
    struct work work = {.value = 1};
    MPI_Request request;
    MPI_Status status;
    int flag;

    MPI_Grequest_start(query, freed, cancel, &work, &request);
    MPI_Cancel(&request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    say("cancelled: called %d, status %d, freed %d", work.cancelled, flag, work.freed);
    CHECK(flag && work.cancelled == 1 && work.freed == 1);
}

/*
 * Freed before it is complete: the callback is called once, by the standard
 * after completion, by MPICH at once. Only the end is looked at.
 */
static void freed_early(void)
{
    struct work work = {.value = 1};
    MPI_Request request, copy;

    MPI_Grequest_start(query, freed, cancel, &work, &request);
    copy = request;
    MPI_Request_free(&request);
    CHECK(request == MPI_REQUEST_NULL);
    MPI_Grequest_complete(copy);
    say("freed early: freed %d", work.freed);
    CHECK(work.freed == 1);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    alone();
    mixed();
    cancelled();
    freed_early();
    return finish();
}
