/*
 * Probe and Iprobe: size before receipt, by source, by tag, by anything.
 *
 * run: -n 3
 */
#include "check.h"

static int receive_of_size(MPI_Status *status)
{
    int n, v[16], sum = 0;

    MPI_Get_count(status, MPI_INT, &n);
    MPI_Recv(v, n, MPI_INT, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++)
        sum += v[i];
    return 1000 * n + sum;
}

static void receiver(void)
{
    int total = 0, there, got[2];
    MPI_Status status;

    /* Named: the third tag of rank 1 first, although it was sent last. */
    MPI_Probe(1, 3, MPI_COMM_WORLD, &status);
    say("tag 3: %d", receive_of_size(&status));

    MPI_Probe(2, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    say("first of rank 2 is tag %d", status.MPI_TAG);
    CHECK(status.MPI_TAG == 1);
    /* A probe takes nothing away. */
    MPI_Probe(2, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    say("again tag %d: %d", status.MPI_TAG, receive_of_size(&status));

    for (int i = 0; i < 4; i++) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        total += receive_of_size(&status);
    }
    say("the other four: %d", total);

    for (int source = 1; source < size; source++) {
        MPI_Send(NULL, 0, MPI_INT, source, 8, MPI_COMM_WORLD);
        do
            MPI_Iprobe(source, 9, MPI_COMM_WORLD, &there, &status);
        while (!there);
        MPI_Recv(&got[source - 1], 1, MPI_INT, source, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    say_ints("polled", got, 2);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    CHECK(!there);
    MPI_Iprobe(MPI_PROC_NULL, 5, MPI_COMM_WORLD, &there, &status);
    CHECK(there && status.MPI_SOURCE == MPI_PROC_NULL);
}

static void sender(void)
{
    int v[3] = {rank, rank + 1, rank + 2};
    MPI_Request requests[3];

    for (int n = 1; n <= 3; n++)
        MPI_Isend(v, n, MPI_INT, 0, n, MPI_COMM_WORLD, &requests[n - 1]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    /* Not before it is asked for, or a wildcard probe would see it. */
    MPI_Recv(NULL, 0, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(v, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (rank == 0)
        receiver();
    else
        sender();
    return finish();
}
