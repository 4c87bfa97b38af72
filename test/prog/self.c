/*
 * Messages to oneself, and MPI_COMM_SELF as a world of one.
 *
 * run: -n 2
 * run: -n 1
 */
#include "check.h"

static void to_oneself(MPI_Comm comm, int me)
{
    int out[3] = {1, 2, 3 + rank}, in[3] = {0}, buffered = 9, got = 0;
    MPI_Request requests[2];
    MPI_Status status;

    MPI_Irecv(in, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]);
    MPI_Send(out, 3, MPI_INT, me, 4, comm);
    MPI_Wait(&requests[0], &status);
    say("self: %d %d %d from me %d tag %d", in[0], in[1], in[2], status.MPI_SOURCE == me,
        status.MPI_TAG);
    CHECK(in[2] == 3 + rank);

    MPI_Issend(&buffered, 1, MPI_INT, me, 5, comm, &requests[0]);
    MPI_Irecv(&got, 1, MPI_INT, me, 5, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(got == 9);

    MPI_Isend(out, 2, MPI_INT, me, 6, comm, &requests[0]);
    MPI_Probe(me, 6, comm, &status);
    MPI_Recv(in, 2, MPI_INT, me, 6, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    say("probed: %d", in[1]);
}

static void collectives_alone(void)
{
    int one = rank + 1, sum = 0, all = 0, scan = 0;
    MPI_Request request;

    MPI_Barrier(MPI_COMM_SELF);
    MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Alltoall(&one, 1, MPI_INT, &all, 1, MPI_INT, MPI_COMM_SELF);
    MPI_Iscan(&one, &scan, 1, MPI_INT, MPI_PROD, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("alone: %d %d %d", sum, all, scan);
    CHECK(sum == one && all == one && scan == one);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    to_oneself(MPI_COMM_WORLD, rank);
    to_oneself(MPI_COMM_SELF, 0);
    collectives_alone();
    return finish();
}
