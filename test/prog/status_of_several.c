/*
 * MPI_Request_get_status for all, any and some of several requests, where the library has it (MPI 4.1): what is said to be
 * complete stays in the list until it is waited for.
 *
 * run: -n 2
 * compare: each
 */
#include "check.h"

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
enum { COUNT = 3 };

static void receive_three(void)
{
    int value[COUNT] = {0}, flag = 0, index = -1, outcount = 0, indices[COUNT];
    MPI_Request request[COUNT];
    MPI_Status status, statuses[COUNT];

    for (int i = 0; i < COUNT; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request[i]);
    MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
    while (!flag)
        MPI_Request_get_status_any(COUNT, request, &index, &flag, &status);
    CHECK(index >= 0 && index < COUNT && request[index] != MPI_REQUEST_NULL && value[index] == 10 + index);
    CHECK(status.MPI_TAG == index && status.MPI_SOURCE == 0);
    for (flag = 0; !flag;)
        MPI_Request_get_status_all(COUNT, request, &flag, statuses);
    for (int i = 0; i < COUNT; i++)
        CHECK(request[i] != MPI_REQUEST_NULL && statuses[i].MPI_TAG == i && value[i] == 10 + i);
    MPI_Request_get_status_some(COUNT, request, &outcount, indices, statuses);
    CHECK(outcount == COUNT);
    for (int i = 0; i < COUNT; i++)
        CHECK(indices[i] == i && statuses[i].MPI_TAG == i && request[i] != MPI_REQUEST_NULL);
    MPI_Waitall(COUNT, request, statuses);
    MPI_Request_get_status_some(COUNT, request, &outcount, indices, MPI_STATUSES_IGNORE);
    CHECK(outcount == MPI_UNDEFINED);
    MPI_Request_get_status_any(COUNT, request, &index, &flag, MPI_STATUS_IGNORE);
    CHECK(flag && index == MPI_UNDEFINED);
    flag = 0;
    MPI_Request_get_status_all(COUNT, request, &flag, MPI_STATUSES_IGNORE);
    CHECK(flag);
    say_ints("received", value, COUNT);
}

static void send_three(void)
{
    MPI_Recv(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = COUNT; i-- > 0;)
        MPI_Send(&(int){10 + i}, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (rank == 0)
        send_three();
    else
        receive_three();
    return finish();
}
#else
int main(int argc, char **argv)
{
    begin(&argc, &argv);
    say("MPI %d", MPI_VERSION);
    return finish();
}
#endif
