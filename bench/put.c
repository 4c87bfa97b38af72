/* Everybody puts to its right neighbour and flushes, under one lock of all. */
#include "bench.h"

int main(int argc, char **argv)
{
    struct bench b = bench_open(argc, argv);
    char *buffer = bench_buffer(&b), *memory;
    MPI_Win win;
    MPI_Win_allocate(b.bytes + 16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    int right = (b.rank + 1) % b.size;
    MPI_Win_lock_all(0, win);
    for (long i = 0; i < b.iterations; i++) {
        buffer[0]++;
        MPI_Put(buffer, b.bytes, MPI_CHAR, right, 0, b.bytes, MPI_CHAR, win);
        MPI_Win_flush(right, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, b.rank, 0, win);
    int good = memory[0] == (char)b.iterations;
    MPI_Win_unlock(b.rank, win);
    MPI_Win_free(&win);
    free(buffer);
    return bench_close(good);
}
