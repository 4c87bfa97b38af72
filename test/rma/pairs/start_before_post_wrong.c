/*
 * Two ranks start an epoch at each other and post only after it: start may block until the other has posted (MPI-4.0,
 * 12.7.3).
 *
 * check: -n 2: buffering-deadlock error STUCK
 * check: -n 2 --buffering=zero: deadlock error STUCK
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Group all, other;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &(int){1 - rank}, &other);
    MPI_Win_start(other, 0, win); /* STUCK */
    MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_post(other, 0, win);
    MPI_Win_wait(win);
    MPI_Group_free(&all);
    MPI_Group_free(&other);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
