/*
 * What receives from any source take in a single run: sources take turns.  A choice is made when all ranks rest, by the lowest rank that has one, or
 * before that if whoever could have its turn before can send nothing until it is made.  Two masters compare what they get with that rule, played
 * here without messages.  Workers take their time, wait for some sends to be received, end one after the other, and leave messages that do not fit.
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

struct master {
    int due, taken; /* messages */
    int last;       /* source; -1: none yet */
};

/* Unless it has done all its steps, a worker has sent its next message, and waits for the reply. */
static int has_sent(int r, int master, const int *done)
{
    return r >= MASTERS && done[r] < steps_of(r) && master_of(r, done[r]) == master;
}

static int has_ended(int r, const int *done, const struct master *masters)
{
    return r < MASTERS ? masters[r].taken == masters[r].due : done[r] == steps_of(r);
}

/* Whose message a master takes; -1: none is there, or it is not certain although it is to be. */
static int choose(int master, int certain, const int *done, const struct master *masters)
{
    for (int i = 1; i <= size; i++) {
        int r = (masters[master].last + i) % size;
        if (has_sent(r, master, done))
            return r;
        if (certain && r != master && !has_ended(r, done, masters))
            return -1;
    }
    return -1;
}

static int choose_any(const int *done, const struct master *masters, int *source)
{
    for (int certain = 1; certain >= 0; certain--)
        for (int m = 0; m < MASTERS; m++)
            if ((*source = choose(m, certain, done, masters)) >= 0)
                return m;
    return -1;
}

static void count_due(struct master *masters)
{
    for (int m = 0; m < MASTERS; m++)
        masters[m].last = -1;
    for (int w = MASTERS; w < size; w++)
        for (int i = 0; i < steps_of(w); i++)
            masters[master_of(w, i)].due++;
}

/* The sources in the order in which a master takes their messages. */
static int play_rule(int master, int *source)
{
    struct master masters[MASTERS] = {{0}};
    int done[64] = {0}, n = 0, m, from;
    count_due(masters);
    while ((m = choose_any(done, masters, &from)) >= 0) {
        done[from]++;
        masters[m].taken++;
        masters[m].last = from;
        if (m == master)
            source[n++] = from;
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
