/*
 * Two ranks receive from any source, and the others send to both of them, in rounds, their numbers.  Whoever has come last is in the
 * memory of the receivers, so they have more histories than positions, and what is owed with less buffering (src/explore/tight.h) tells
 * many orders apart.  But the receivers take whatever comes, so nobody is held up for good, however it is buffered (src/explore/takers.h).
 *
 * crossed: every other sender begins with the other receiver.  barrier: all meet when everything is received.
 * short: the receivers leave the last message, which holds up its sender if it is not buffered.
 * named: in the end the receivers ask by name, the first one for whom the second one keeps waiting if nothing is buffered, and the other way round.
 *
 * merged: -n 5 any -- 2 same: runs 1 clean 1
 * merged: -n 5 any -- 4 same: runs 1 clean 1
 * merged: -n 5 any -- 4 crossed: runs 1 clean 1
 * merged: -n 5 any -- 4 barrier: runs 1 clean 1
 * merged: -n 4 any -- 60 same: runs 1 clean 1
 * merged: -n 4 any -- 3 short: runs 4 clean 4 cuts 6
 * merged: -n 4 any -- 3 named: runs 1 clean 1 cuts 4
 * explore: -n 4 any -- 1 short: runs 4 clean 4 cuts 6
 * explore: -n 4 any -- 1 named: runs 4 clean 4 cuts 4
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { RECEIVERS = 2 };

static void receive(int from, int tag)
{
    int who;

    MPI_Recv(&who, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, rounds = atoi(argv[1]);
    const char *how = argv[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank < RECEIVERS) {
        for (int i = strcmp(how, "short") == 0; i < rounds * (size - RECEIVERS); i++)
            receive(MPI_ANY_SOURCE, 0);
        for (int i = 0; i < 2 && strcmp(how, "named") == 0; i++)
            receive(RECEIVERS + (rank + i + 1) % 2, 1);
    } else {
        int first = strcmp(how, "crossed") == 0 && rank % 2;

        for (int i = 0; i < rounds * RECEIVERS; i++)
            MPI_Send(&rank, 1, MPI_INT, (first + i) % RECEIVERS, 0, MPI_COMM_WORLD);
        for (int i = 0; i < RECEIVERS && strcmp(how, "named") == 0; i++)
            MPI_Send(&rank, 1, MPI_INT, (rank + i) % RECEIVERS, 1, MPI_COMM_WORLD);
    }
    if (strcmp(how, "barrier") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
