/*
 * Another program for each seed, the first argument: rank 0, or two ranks, take numbers from all others in any order, and do with
 * them what the seed says: copy, add, shift, compare, look up, round, print, send on.  Now and then, what has come of a number decides something: whether
 * another message is waited for that does not come, how long a message is, to whom it goes.  For test/paths_judge.py.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 12, NUMBER = 1, ECHO = 2, END = 3, NEVER = 99 };

static unsigned long long state;
static int rank, size;
static int cell[CELLS];      /* what is computed with */
static double real[CELLS];
static char *heap;           /* a copy of cells */
static int table[64];

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % n;
}

/* What does not decide anything, unless the machine takes it that way. */
static void compute(void)
{
    unsigned a = draw(CELLS), b = draw(CELLS), c = draw(CELLS), kind = draw(14);
    switch (kind) {
    case 0:
        cell[a] = cell[b];
        break;
    case 1:
        cell[a] += cell[b] * 3;
        break;
    case 2:
        cell[a] ^= cell[b] << 2;
        break;
    case 3:
        cell[a] = cell[b] > cell[c] ? cell[b] : 5;
        break;
    case 4:
        if (cell[a] > cell[b])
            cell[c]++;
        break;
    case 5:
        cell[a] = table[cell[b] & 63];
        break;
    case 6:
        real[a] = real[b] * 0.7 + cell[c];
        break;
    case 7:
        cell[a] = (int)sqrt(fabs(real[b]) + 1);
        break;
    case 8:
        memcpy(heap, cell, sizeof cell);
        cell[a] = ((int *)heap)[b];
        break;
    case 9:
        printf("%d %g\n", cell[a], real[b]);
        break;
    case 10:
        snprintf(heap + 64, 64, "%d", cell[a]);
        cell[b] = heap[64];
        break;
    case 11:
        cell[a] = 7;
        break;
    case 12:
        cell[a] = memcmp(&cell[b], &cell[c], sizeof(int)) == 0;
        break;
    case 13:
        cell[a] &= 3;
        break;
    }
}

/* Somebody else gets a number and gives it back changed. */
static void ask_back(void)
{
    unsigned a = draw(CELLS), b = draw(CELLS);
    MPI_Send(&cell[a], 1, MPI_INT, size - 1, ECHO, MPI_COMM_WORLD);
    MPI_Recv(&cell[b], 1, MPI_INT, size - 1, ECHO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Here a number decides. */
static void decide(void)
{
    unsigned a = draw(CELLS), kind = draw(3), value = draw(8);
    int never, twice[2] = {0, 0};
    if (kind == 0 && (cell[a] & 7) == (int)value)
        MPI_Recv(&never, 1, MPI_INT, 1, NEVER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (kind == 1 && real[a] > value)
        MPI_Recv(&never, 1, MPI_INT, 1, NEVER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (kind == 2)
        MPI_Sendrecv(twice, cell[a] & 1, MPI_INT, rank, NUMBER + 10, twice, 2, MPI_INT, rank, NUMBER + 10, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

static void receive(int messages, unsigned decisions)
{
    MPI_Status status;
    for (int i = 0; i < messages; i++) {
        unsigned to = draw(CELLS), from = draw(CELLS), marked = draw(3);
        MPI_Recv(&cell[to], 1, MPI_INT, MPI_ANY_SOURCE, NUMBER, MPI_COMM_WORLD, &status);
        if (marked == 0)
            cell[from] = status.MPI_SOURCE;
        real[to] = cell[to] / 3.0;
        for (unsigned n = 3 + draw(8); n > 0; n--)
            compute();
        if (draw(4) == 0)
            ask_back();
        if (draw(8) < decisions)
            decide();
    }
    for (unsigned n = draw(6); n > 0; n--)
        compute();
    if (draw(2) < decisions)
        decide();
}

/* The last rank answers until rank 0 has enough. */
static void echo(void)
{
    int number;
    MPI_Status status;
    for (;;) {
        MPI_Recv(&number, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == END)
            return;
        number = number * 5 + 1;
        MPI_Send(&number, 1, MPI_INT, 0, ECHO, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int each, number;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    state = strtoull(argv[1], NULL, 10) * 7919 + 1;
    for (int i = 0; i < 64; i++)
        table[i] = (int)draw(100);
    each = 1 + (draw(3) == 0);
    heap = calloc(1, 4096);
    if (rank == 0) {
        receive(each * (size - 2), draw(3));
        MPI_Send(&rank, 0, MPI_INT, size - 1, END, MPI_COMM_WORLD);
    } else if (rank == size - 1) {
        echo();
    } else {
        for (int i = 0; i < each; i++) {
            number = rank * 10 + i;
            MPI_Send(&number, 1, MPI_INT, 0, NUMBER, MPI_COMM_WORLD);
        }
    }
    free(heap);
    MPI_Finalize();
    return 0;
}
