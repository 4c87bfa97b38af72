/*
 * A window is posted before the message is waited for that the origin sends behind its epoch (MPI-4.0, 12.5.2).
 *
 * check: -n 2: none
 */
#include <stddef.h>

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
    if (rank == 0) {
        MPI_Win_start(other, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Win_post(other, 0, win);
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
