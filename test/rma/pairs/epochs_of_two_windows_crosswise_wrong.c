/*
 * Each of two ranks begins to access one window of the other before it exposes its own other one: MPI_Win_start may wait until the
 * window is posted (MPI-4.0, 12.5.2).
 *
 * check: -n 2: buffering-deadlock error STUCK
 */
#include <mpi.h>

static int window[2][4];

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Group all, other;
    MPI_Win win[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++)
        MPI_Win_create(window[i], sizeof window[i], sizeof **window, MPI_INFO_NULL, MPI_COMM_WORLD, &win[i]);
    MPI_Win_get_group(*win, &all);
    MPI_Group_incl(all, 1, &(int){1 - rank}, &other);
    MPI_Win_start(other, 0, win[rank]); /* STUCK */
    MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win[rank]);
    MPI_Win_complete(win[rank]);
    MPI_Win_post(other, 0, win[1 - rank]);
    MPI_Win_wait(win[1 - rank]);
    MPI_Group_free(&all);
    MPI_Group_free(&other);
    MPI_Win_free(&win[0]);
    MPI_Win_free(&win[1]);
    MPI_Finalize();
    return 0;
}
