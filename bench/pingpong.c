/* Ranks 2k and 2k+1 send a message to and fro: two blocking calls per rank and iteration. */
#include "bench.h"

int main(int argc, char **argv)
{
    struct bench b = bench_open(argc, argv);
    char *buffer = bench_buffer(&b);
    int peer = b.rank ^ 1;
    for (long i = 0; i < b.iterations && peer < b.size; i++) {
        if (b.rank < peer) {
            MPI_Send(buffer, b.bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD);
            MPI_Recv(buffer, b.bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(buffer, b.bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            buffer[0]++;
            MPI_Send(buffer, b.bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD);
        }
    }
    int right = peer >= b.size || buffer[0] == (char)b.iterations;
    free(buffer);
    return bench_close(right);
}
