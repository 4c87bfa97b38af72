/*
 * The owner posts again after it has waited (MPI-4.0, 12.5).
 *
 * check: -n 2: none
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
    for (int i = 0; rank == 0 && i < 2; i++) {
        MPI_Win_start(other, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, i, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    if (rank == 1) {
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 1 && window[0] + window[1] != 14;
}
