/* One message goes round: two blocking calls per rank and iteration, and nobody else has anything to do. */
#include "bench.h"

int main(int argc, char **argv)
{
    struct bench b = bench_open(argc, argv);
    char *buffer = bench_buffer(&b);
    int left = (b.rank + b.size - 1) % b.size, right = (b.rank + 1) % b.size;
    for (long i = 0; i < b.iterations; i++) {
        if (b.rank != 0)
            MPI_Recv(buffer, b.bytes, MPI_CHAR, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        buffer[0]++;
        MPI_Send(buffer, b.bytes, MPI_CHAR, right, 0, MPI_COMM_WORLD);
        if (b.rank == 0)
            MPI_Recv(buffer, b.bytes, MPI_CHAR, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    int good = b.rank != 0 || buffer[0] == (char)(b.iterations * b.size);
    free(buffer);
    return bench_close(good);
}
