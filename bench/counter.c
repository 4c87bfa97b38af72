/* Everybody counts up one number at rank 0. */
#include "bench.h"

int main(int argc, char **argv)
{
    struct bench b = bench_open(argc, argv);
    long one = 1, old = 0, *memory;
    MPI_Win win;
    MPI_Win_allocate(16, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    memory[0] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = 0; i < b.iterations; i++) {
        MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    int good = b.rank != 0 || memory[0] == b.iterations * b.size;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    return bench_close(good);
}
