/*
 * What is sent is computed from what was received, and everybody checks what comes:
 * a payload that was mixed up with another crashes a rank.  Matched probes, long
 * messages, requests that are freed, collectives with slices.
 *
 * explore: -n 2 infinite: runs 1 clean 1
 * explore: -n 3 infinite: runs 6 clean 6
 * explore: -n 3 zero: runs 6 clean 6
 * explore: -n 4 infinite: runs 90 clean 90
 */
#include <mpi.h>
#include <stdlib.h>

enum { SHORT = 4, LONG = 3000, ROUNDS = 2 };

static void must(int holds)
{
    if (!holds)
        abort();
}

/* Everything in a message follows from its first word. */
static void fill(unsigned long *word, int n, unsigned long seed)
{
    word[0] = seed;
    for (int i = 1; i < n; i++)
        word[i] = word[i - 1] * 2862933555777941757ul + 3037000493ul;
}

static unsigned long check(const unsigned long *word, int n)
{
    for (int i = 1; i < n; i++)
        must(word[i] == word[i - 1] * 2862933555777941757ul + 3037000493ul);
    return word[0];
}

/* Hears from everybody, in any order, and tells each what it has heard so far. */
static void lead(int size, unsigned long *told)
{
    unsigned long heard = 1, word[LONG];
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;

    for (int i = 0; i < (size - 1) * ROUNDS; i++) {
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, &status);
        MPI_Imrecv(word, SHORT, MPI_UNSIGNED_LONG, &message, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        heard = heard * 31 + check(word, SHORT);
        told[status.MPI_SOURCE] += heard;
        fill(word, LONG, heard);
        MPI_Send(word, LONG, MPI_UNSIGNED_LONG, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
    }
}

static unsigned long follow(int rank)
{
    unsigned long sum = 0, word[LONG], sent[ROUNDS][SHORT];
    MPI_Request request;

    for (int i = 0; i < ROUNDS; i++) {
        fill(sent[i], SHORT, sum * 7 + (unsigned long)rank);
        MPI_Isend(sent[i], SHORT, MPI_UNSIGNED_LONG, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(word, LONG, MPI_UNSIGNED_LONG, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += check(word, LONG);
    }
    return sum;
}

/* Each sends each its own number of words. */
static void exchange(int rank, int size, unsigned long seed)
{
    int out[size], in[size], from[size], to[size];
    unsigned long *sent = malloc(sizeof *sent * (size_t)(size * size * SHORT)), got[size * size * SHORT];

    for (int i = 0, a = 0, b = 0; i < size; a += out[i], b += in[i], i++) {
        out[i] = (i + 1) * SHORT;
        in[i] = (rank + 1) * SHORT;
        to[i] = a;
        from[i] = b;
        fill(sent + a, out[i], seed + (unsigned long)i);
    }
    MPI_Alltoallv(sent, out, to, MPI_UNSIGNED_LONG, got, in, from, MPI_UNSIGNED_LONG, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        must(check(got + from[i], in[i]) != 0);
    must(got[from[rank]] == seed + (unsigned long)rank);
    free(sent);
}

int main(int argc, char **argv)
{
    int rank, size;
    unsigned long sum = 0, own, total, all = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned long told[size];
    for (int i = 0; i < size; i++)
        told[i] = 0;
    if (rank == 0)
        lead(size, told);
    else
        sum = follow(rank);
    MPI_Scatter(told, 1, MPI_UNSIGNED_LONG, &own, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
    must(own == sum);
    MPI_Allreduce(&sum, &total, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        all += told[i];
    must(rank != 0 || total == all);
    exchange(rank, size, total | 1);
    MPI_Finalize();
    return 0;
}
