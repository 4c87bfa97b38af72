/*
 * In each round one rank is late, so that the others sleep until it comes: what it sends then, what they bring to a collective, and messages of which
 * only the envelope is shown, are there for those who sleep.  At last rank 0 keeps its message, and the others wait for ever.
 *
 * run: -n 4
 * compare: none
 * exit: 1
 * expect: deadlock
 * expect: 3 of 4 ranks can never continue
 */
#include "check.h"

#include <unistd.h>

enum { ROUNDS = 60, LARGE = 3000 };

static int numbers[4][LARGE];

/* With another exit code than the end has. */
static void require(int holds)
{
    if (!holds)
        MPI_Abort(MPI_COMM_WORLD, 7);
}

static void send_late(int round, int count)
{
    usleep(400);
    for (int to = 0; to < size; to++) {
        numbers[rank][0] = round + to;
        if (to != rank)
            MPI_Send(numbers[rank], count, MPI_INT, to, round, MPI_COMM_WORLD);
    }
}

/* Also from those who have sent already, and are waited for behind the late one. */
static void receive_all(int round, int late, int count)
{
    MPI_Request request[4];
    int n = 0;
    for (int from = 0; from < size; from++)
        if (from != rank)
            MPI_Irecv(numbers[from], count, MPI_INT, from, round, MPI_COMM_WORLD, &request[n++]);
    if (rank != late)
        for (int to = 0; to < size; to++) {
            numbers[rank][0] = round + to;
            if (to != rank)
                MPI_Send(numbers[rank], count, MPI_INT, to, round, MPI_COMM_WORLD);
        }
    else
        send_late(round, count);
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
    for (int from = 0; from < size; from++)
        if (from != rank)
            require(numbers[from][0] == round + rank);
}

static void add_up(int round, int late)
{
    int one = round, sum;
    if (rank == late)
        usleep(400);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    require(sum == size * round);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int round = 0; round < ROUNDS; round++) {
        int late = round % size, number = -1;
        receive_all(round, late, round % 3 ? 1 : LARGE);
        add_up(round, (late + 1) % size);
        if (rank == late)
            send_late(ROUNDS + round, 1);
        else
            MPI_Recv(&number, 1, MPI_INT, late, ROUNDS + round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        require(rank == late || number == ROUNDS + round + rank);
    }
    if (rank)
        MPI_Recv(numbers[0], 1, MPI_INT, 0, 2 * ROUNDS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
