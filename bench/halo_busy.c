/*
 * Neighbours on a circle swap their edges while each works on what lies between them: all of one
 * array, so that what is pending and what is in use are side by side.
 */
#include "bench.h"

int main(int argc, char **argv)
{
    enum { ROWS = 8 };
    struct bench b = bench_open(argc, argv);
    int left = (b.rank + b.size - 1) % b.size, right = (b.rank + 1) % b.size, good = 1;
    char *row[ROWS], *all = calloc(ROWS, b.bytes);
    for (int i = 0; i < ROWS; i++)
        row[i] = all + i * b.bytes;
    for (long i = 0; i < b.iterations; i++) {
        MPI_Request request[4];
        row[1][0] = row[ROWS - 2][0] = (char)(i + b.rank);
        MPI_Irecv(row[0], b.bytes, MPI_CHAR, left, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(row[ROWS - 1], b.bytes, MPI_CHAR, right, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Isend(row[1], b.bytes, MPI_CHAR, left, 1, MPI_COMM_WORLD, &request[2]);
        MPI_Isend(row[ROWS - 2], b.bytes, MPI_CHAR, right, 0, MPI_COMM_WORLD, &request[3]);
        for (int k = 2; k < ROWS - 2; k++)
            for (int x = 0; x < b.bytes; x++)
                row[k][x] = (char)(row[k][x] + row[k - 1][x]);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        good = good && row[0][0] == (char)(i + left) && row[ROWS - 1][0] == (char)(i + right);
    }
    free(all);
    return bench_close(good);
}
