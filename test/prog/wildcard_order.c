/*
 * What receives from any source take in a single run: when all ranks rest, the lowest rank that has a choice takes the message of the lowest
 * source.  Two masters compare what they get with that rule, played here without messages.  Workers take their time, wait for some
 * sends to be received, end one after the other, and leave messages that do not fit.
 *
 * run: -n 5
 * run: -n 7 150
 * compare: none
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MASTERS = 2, WORK = 7, REPLY, OTHER, MOST = 1000 };

static int size, rounds;

static int steps_of(int worker)
{
    return rounds + worker;
}

static int master_of(int worker, int step)
{
    return (worker + step / 3) % MASTERS;
}

/* The sources in the order in which a master takes their messages. */
static int play_rule(int master, int *source)
{
    int done[64] = {0}, n = 0, waits = 1;
    while (waits) {
        waits = 0;
        for (int m = 0; m < MASTERS && !waits; m++)
            for (int w = MASTERS; w < size && !waits; w++)
                if (done[w] < steps_of(w) && master_of(w, done[w]) == m) {
                    waits = 1;
                    done[w]++;
                    if (m == master)
                        source[n++] = w;
                }
    }
    return n;
}

static int take(int nth)
{
    MPI_Status status;
    MPI_Request request;
    int value;
    if (nth % 2) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, WORK, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
    } else {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, WORK, MPI_COMM_WORLD, &status);
    }
    MPI_Send(&value, 1, MPI_INT, status.MPI_SOURCE, REPLY, MPI_COMM_WORLD);
    return status.MPI_SOURCE;
}

static int collect(int rank)
{
    static int source[64 * MOST];
    int n = play_rule(rank, source), wrong = 0, value;
    for (int i = 0; i < n; i++) {
        int from = take(i);
        if (from != source[i] && !wrong++)
            printf("rank %d: message %d came from rank %d, by the rule it is from rank %d\n", rank, i, from, source[i]);
    }
    for (int w = MASTERS; w < size; w++)
        MPI_Recv(&value, 1, MPI_INT, w, OTHER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return wrong;
}

static void work(int rank)
{
    int value = rank;
    for (int m = 0; m < MASTERS; m++)
        MPI_Send(&value, 1, MPI_INT, m, OTHER, MPI_COMM_WORLD);
    for (int i = 0; i < steps_of(rank); i++) {
        if ((rank + i) % 4 == 0)
            usleep(20 * ((size - rank) * 7 % 5));
        (i % 16 == 15 ? MPI_Ssend : MPI_Send)(&value, 1, MPI_INT, master_of(rank, i), WORK, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, master_of(rank, i), REPLY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rounds = argc > 1 ? atoi(argv[1]) : 40;
    if (rank < MASTERS)
        wrong = collect(rank);
    else
        work(rank);
    MPI_Finalize();
    return wrong != 0;
}
