/*
 * Rounds of different polls, with an agreement in between: a "no" to one must not
 * answer another, or the send would never be seen to be complete.
 *
 * run: -n 3
 */
#include "check.h"

/* Receives whatever is there, on either communicator. */
static int drain(MPI_Comm second)
{
    int there = 1, value = 0, sum = 0;
    MPI_Status status;

    while (there) {
        MPI_Comm from = MPI_COMM_WORLD;

        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, from, &there, &status);
        if (!there) {
            from = second;
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, from, &there, &status);
        }
        if (there) {
            MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, from, MPI_STATUS_IGNORE);
            sum += value;
        }
    }
    return sum;
}

int main(int argc, char **argv)
{
    int value, sum = 0, busy = 1, rounds = 0;
    MPI_Request request;
    MPI_Comm second;

    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    value = 10 + rank;
    MPI_Isend(&value, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &request);
    while (busy && rounds++ < 10000) {
        int done = 1, mine;

        sum += drain(second);
        if (request != MPI_REQUEST_NULL)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        mine = !done || !sum;
        MPI_Allreduce(&mine, &busy, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    say("received %d, busy %d", sum, busy);
    CHECK(!busy);
    MPI_Comm_free(&second);
    return finish();
}
