/*
 * Long messages that receivers take before tourney has read of them: what a message brings stays as it is until its receiver has it, however
 * soon the room of those before it is used again.
 *
 * run: -n 3
 * compare: none
 */
#include "check.h"

enum { MESSAGES = 240, WINDOW = 4, MOST = 6000 };

static int length_of(int from, int i)
{
    return 2100 + (from * 977 + i * 1361) % (MOST - 2100);
}

static void fill(long *v, int from, int i)
{
    for (int k = 0; k < length_of(from, i); k++)
        v[k] = ((long)from << 40) + ((long)i << 20) + k;
}

static int count_wrong(const long *v, int from, int i)
{
    int wrong = 0;
    for (int k = 0; k < length_of(from, i); k++)
        wrong += v[k] != ((long)from << 40) + ((long)i << 20) + k;
    return wrong;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int right = (rank + 1) % size, left = (rank + size - 1) % size, wrong = 0;
    long *out = malloc(WINDOW * MOST * sizeof *out), *in = malloc(WINDOW * MOST * sizeof *in);
    for (int i = 0; i < MESSAGES; i += WINDOW) {
        MPI_Request request[WINDOW], sends[WINDOW];
        int source = i % 3 == 0 ? MPI_ANY_SOURCE : left;
        for (int k = 0; k < WINDOW - 1; k++)
            MPI_Irecv(in + k * MOST, MOST, MPI_LONG, left, 0, MPI_COMM_WORLD, &request[k]);
        for (int k = 0; k < WINDOW; k++) {
            fill(out + k * MOST, rank, i + k);
            MPI_Isend(out + k * MOST, length_of(rank, i + k), MPI_LONG, right, 0, MPI_COMM_WORLD, &sends[k]);
        }
        MPI_Waitall(WINDOW - 1, request, MPI_STATUSES_IGNORE);
        MPI_Recv(in + (WINDOW - 1) * MOST, MOST, MPI_LONG, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(WINDOW, sends, MPI_STATUSES_IGNORE);
        for (int k = 0; k < WINDOW; k++)
            wrong += count_wrong(in + k * MOST, left, i + k);
    }
    if (wrong)
        say("%d wrong", wrong);
    free(out);
    free(in);
    MPI_Finalize();
    return wrong != 0;
}
