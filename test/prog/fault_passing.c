/*
 * After many messages that ranks have handed to each other, some are under way, one collective lacks a member, and nobody can go on: what is told is
 * as it is of a run that only just began.
 *
 * run: -n 3
 * compare: none
 * exit: 1
 * expect: deadlock
 * expect: "a message from rank 0 has arrived, but its tag is 1, not 0"
 * expect: "a message from rank 0 has arrived, but its tag is 2, not 0"
 */
#include "check.h"

enum { ROUNDS = 2000 };

static void pass_around(void)
{
    int out = rank, in = -1, sum, left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request request[2];
        MPI_Irecv(&in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(&out, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        MPI_Send(&out, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int v = 0;

    begin(&argc, &argv);
    pass_around();
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Send(&v, 1, MPI_INT, i, i, MPI_COMM_WORLD);
    if (rank != 0)
        MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
