/* All others send a message to rank 0, which takes them as they come, and answers each: two blocking calls per rank and message. */
#include "bench.h"

enum { RESULT, REPLY };

static long collect(const struct bench *b, char *buffer)
{
    long sum = 0;
    for (long left = b->iterations * (b->size - 1); left > 0; left--) {
        MPI_Status status;
        MPI_Recv(buffer, b->bytes, MPI_CHAR, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
        sum += buffer[0] == status.MPI_SOURCE;
        MPI_Send(buffer, b->bytes, MPI_CHAR, status.MPI_SOURCE, REPLY, MPI_COMM_WORLD);
    }
    return sum;
}

static void work(const struct bench *b, char *buffer)
{
    for (long i = 0; i < b->iterations; i++) {
        buffer[0] = (char)b->rank;
        MPI_Send(buffer, b->bytes, MPI_CHAR, 0, RESULT, MPI_COMM_WORLD);
        MPI_Recv(buffer, b->bytes, MPI_CHAR, 0, REPLY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    struct bench b = bench_open(argc, argv);
    char *buffer = bench_buffer(&b);
    int good = 1;
    if (b.rank == 0)
        good = collect(&b, buffer) == b.iterations * (b.size - 1);
    else
        work(&b, buffer);
    free(buffer);
    return bench_close(good);
}
