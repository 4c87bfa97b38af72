/*
 * The owner stores to its window in mapped memory in an epoch of its own (MPI-4.0, 12.7).
 *
 * check: -n 2: none
 */
#include <stddef.h>
#include <sys/mman.h>

#include <mpi.h>

static volatile int seen;

int main(int argc, char **argv)
{
    int rank, value = 7, *window = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, 8192, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 1024, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        window[1024] += 5;
    MPI_Win_fence(0, win);
    seen = window[1024];
    MPI_Win_free(&win);
    munmap(window, 8192);
    MPI_Finalize();
    return rank == 1 && seen != 12;
}
