/* Everybody gets from its right neighbour and waits for it. */
#include "bench.h"

int main(int argc, char **argv)
{
    struct bench b = bench_open(argc, argv);
    char *buffer = bench_buffer(&b), *memory;
    MPI_Win win;
    MPI_Win_allocate(b.bytes + 16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = (char)b.rank;
    MPI_Win_fence(0, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    int right = (b.rank + 1) % b.size;
    MPI_Win_lock_all(0, win);
    for (long i = 0; i < b.iterations; i++) {
        MPI_Get(buffer, b.bytes, MPI_CHAR, right, 0, b.bytes, MPI_CHAR, win);
        MPI_Win_flush(right, win);
    }
    int good = buffer[0] == (char)right;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    free(buffer);
    return bench_close(good);
}
