/*
 * Long before anything is left open: messages of all lengths, receives that complete in another order than they were posted in, more of them than a mailbox holds,
 * synchronous ones, collectives of many kinds, communicators that come and go.  The ranks run ahead of the search there, and check what they are handed.
 * Then it ends as the argument says.
 *
 * explore: -n 3 infinite -- 40 clean: runs 1 clean 1
 * explore: -n 3 zero -- 40 clean: runs 1 clean 1
 * explore: -n 4 infinite -- 40 star: runs 6 clean 6
 * explore: -n 3 infinite -- 40 choice_before: runs 2 clean 2
 * explore: -n 3 infinite -- 40 deadlock: runs 1 deadlock 1
 * explore: -n 3 infinite -- 40 abort: runs 1 abort 1
 * explore: -n 3 infinite -- 40 crash: runs 1 crash 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 5, INLINE = 6000, LONG = 20000, BURST = 300 };

static int rank, size, left, right;

static void require(int good)
{
    if (!good)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static int value_of(int from, int round, int nth)
{
    return from * 1000000 + round * 1000 + nth;
}

/* The first message goes to the first receive, whichever is waited for first. */
static void cross(int round)
{
    int sent[2] = {value_of(rank, round, 1), value_of(rank, round, 2)}, got[2] = {0, 0};
    MPI_Request request[4];
    MPI_Irecv(&got[0], 1, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, left, SMALL, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 2; i++)
        MPI_Isend(&sent[i], 1, MPI_INT, right, SMALL, MPI_COMM_WORLD, &request[2 + i]);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    require(got[1] == value_of(left, round, 2));
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    require(got[0] == value_of(left, round, 1));
    MPI_Waitall(2, request + 2, MPI_STATUSES_IGNORE);
}

/* Of these only the short ones are shown whole. */
static void lengths(int round)
{
    static char out[3][LONG], in[3][LONG];
    const int bytes[3] = {LONG, 8, INLINE};
    MPI_Request request[6];
    for (int i = 0; i < 3; i++) {
        memset(out[i], (rank + round + i) & 127, LONG);
        MPI_Isend(out[i], bytes[i], MPI_CHAR, right, 1, MPI_COMM_WORLD, &request[i]);
    }
    for (int i = 0; i < 3; i++)
        MPI_Irecv(in[i], LONG, MPI_CHAR, left, 1, MPI_COMM_WORLD, &request[3 + i]);
    MPI_Waitall(6, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++)
        require(in[i][0] == ((left + round + i) & 127) && in[i][bytes[i] - 1] == in[i][0]);
}

static void burst(int round)
{
    char text[100] = "";
    for (int i = 0; i < BURST && rank == 0; i++) {
        memcpy(text, &(int){value_of(0, round, i)}, sizeof(int));
        MPI_Send(text, sizeof text, MPI_CHAR, size - 1, 2, MPI_COMM_WORLD);
    }
    if (rank == 0)
        MPI_Recv(text, sizeof text, MPI_CHAR, size - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < BURST && rank == size - 1; i++) {
        MPI_Recv(text, sizeof text, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        require(memcmp(text, &(int){value_of(0, round, i)}, sizeof(int)) == 0);
    }
    if (rank == size - 1)
        MPI_Send(text, 1, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
}

static void synchronous(int round)
{
    int mine = value_of(rank, round, 7), theirs = 0;
    MPI_Request request;
    MPI_Irecv(&theirs, 1, MPI_INT, left, 4, MPI_COMM_WORLD, &request);
    MPI_Ssend(&mine, 1, MPI_INT, right, 4, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    require(theirs == value_of(left, round, 7));
}

static void collectives(MPI_Comm comm, int round)
{
    int me, n, sum = 0, all[16], parts[16], mine;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    mine = me + round;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    require(sum == n * round + n * (n - 1) / 2);
    MPI_Bcast(&mine, 1, MPI_INT, round % n, comm);
    require(mine == round % n + round);
    MPI_Barrier(comm);
    mine = me;
    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, round % n, comm);
    for (int i = 0; i < n; i++) {
        require(me != round % n || all[i] == i);
        parts[i] = me * 16 + i;
    }
    MPI_Alltoall(parts, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int i = 0; i < n; i++)
        require(all[i] == i * 16 + me);
}

static void go_round(int round)
{
    int mine = value_of(rank, round, 0), theirs;
    MPI_Comm part;
    MPI_Sendrecv(&mine, 1, MPI_INT, right, 0, &theirs, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    require(theirs == value_of(left, round, 0));
    cross(round);
    lengths(round);
    synchronous(round);
    collectives(MPI_COMM_WORLD, round);
    if (round % 16 == 5)
        burst(round);
    if (round % 8 != 3)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    collectives(part, round);
    MPI_Comm_free(&part);
}

/* Everybody but the first sends to it, who takes what comes. */
static void star(int messages)
{
    int value = rank;
    if (rank > 0 && rank <= messages)
        MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
    for (int i = 0; i < messages && rank == 0; i++)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    int rounds = atoi(argv[1]), value = 0;
    const char *end = argv[2];
    for (int i = 0; i < rounds; i++) {
        if (i == rounds / 2 && strcmp(end, "choice_before") == 0)
            star(2);
        go_round(i);
    }
    if (strcmp(end, "star") == 0)
        star(size - 1);
    if (strcmp(end, "deadlock") == 0)
        MPI_Recv(&value, 1, MPI_INT, right, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(end, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(end, "crash") == 0 && rank == 1)
        *(volatile int *)0 = 1;
    MPI_Finalize();
    return 0;
}
