/*
 * A rank sends behind the first fence what the other one waits for in front of it: a fence that ends no epoch need not wait for
 * the others, but may (MPI-4.0, 12.5.1).
 *
 * check: -n 2: buffering-deadlock error STUCK
 */
#include <stddef.h>

#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1)
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win); /* STUCK */
    if (rank == 0)
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
