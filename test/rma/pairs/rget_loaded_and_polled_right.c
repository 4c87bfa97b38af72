/*
 * A rank adds up what it gets when it is there, whose requests it polls, on its stack (MPI-4.0, 12.3.5).  So
 * there is something to be decided after what only a closer look sees.
 *
 * check: -n 2: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *window, got[2] = {0, 0}, sum = 0, left = 2, n, done[2];
    MPI_Request request[2];
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    window[0] = rank + 1;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++)
        MPI_Rget(&got[i], 1, MPI_INT, i, 0, 1, MPI_INT, win, &request[i]);
    while (left > 0) {
        MPI_Testsome(2, request, &n, done, MPI_STATUSES_IGNORE);
        left -= n;
    }
    for (int i = 0; i < 2; i++)
        sum += got[i];
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return sum == -1;
}
