/*
 * Neighbours on a circle swap their edges: two MPI_Irecv, two MPI_Isend and one
 * MPI_Waitall per rank and iteration; the last is the only blocking call.
 */
#include "bench.h"

enum { LEFT, RIGHT, SIDES };

int main(int argc, char **argv)
{
    struct bench b = bench_open(argc, argv);
    int peer[SIDES] = {(b.rank + b.size - 1) % b.size, (b.rank + 1) % b.size}, good = 1;
    char *edge[SIDES], *ghost[SIDES];
    for (int side = 0; side < SIDES; side++) {
        edge[side] = bench_buffer(&b);
        ghost[side] = bench_buffer(&b);
    }
    for (long i = 0; i < b.iterations; i++) {
        MPI_Request request[2 * SIDES];
        for (int side = 0; side < SIDES; side++) {
            edge[side][0] = (char)(i + b.rank);
            MPI_Irecv(ghost[side], b.bytes, MPI_CHAR, peer[side], !side, MPI_COMM_WORLD, &request[side]);
        }
        for (int side = 0; side < SIDES; side++)
            MPI_Isend(edge[side], b.bytes, MPI_CHAR, peer[side], side, MPI_COMM_WORLD, &request[SIDES + side]);
        MPI_Waitall(2 * SIDES, request, MPI_STATUSES_IGNORE);
        for (int side = 0; side < SIDES; side++)
            good = good && ghost[side][0] == (char)(i + peer[side]);
    }
    for (int side = 0; side < SIDES; side++) {
        free(edge[side]);
        free(ghost[side]);
    }
    return bench_close(good);
}
