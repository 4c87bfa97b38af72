/*
 * Dining philosophers; forks are ranks as well.  Each philosopher asks for the fork of
 * his own number and then for the next one.  A run is who had each fork first, its own
 * philosopher or the one before him.  All the own: a deadlock.  All the others: each
 * would have had to eat before his neighbour, round the table, so this cannot be.  That
 * leaves 2^p - 2 clean runs for p philosophers.  In the deadlock each of them is stuck
 * in asking or, if that was buffered, in waiting for the second fork: no other cause.
 *
 * explore: -n 4 infinite: runs 3 clean 2 deadlock 1
 * explore: -n 4 zero: runs 3 clean 2 deadlock 1
 * explore: -n 6 infinite: runs 7 clean 6 deadlock 1
 * explore: -n 8 infinite: runs 15 clean 14 deadlock 1
 * explore: -n 4 any: runs 3 clean 2 deadlock 1
 */
#include <mpi.h>
#include <stddef.h>

enum { TAKE, GRANT, PUT };

static void send(int to, int tag)
{
    MPI_Send(NULL, 0, MPI_INT, to, tag, MPI_COMM_WORLD);
}

static int receive(int from, int tag)
{
    MPI_Status status;
    MPI_Recv(NULL, 0, MPI_INT, from, tag, MPI_COMM_WORLD, &status);
    return status.MPI_SOURCE;
}

static void be_philosopher(int first, int second)
{
    send(first, TAKE);
    receive(first, GRANT);
    send(second, TAKE);
    receive(second, GRANT);
    send(first, PUT);
    send(second, PUT);
}

static void be_fork(void)
{
    for (int i = 0; i < 2; i++) {
        int philosopher = receive(MPI_ANY_SOURCE, TAKE);
        send(philosopher, GRANT);
        receive(philosopher, PUT);
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int philosophers = size / 2;
    if (rank < philosophers)
        be_philosopher(philosophers + rank, philosophers + (rank + 1) % philosophers);
    else
        be_fork();
    MPI_Finalize();
    return 0;
}
