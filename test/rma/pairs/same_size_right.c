/*
 * The info key same_size says that all parts have the same size, and they do (MPI-4.0, 12.2.1).
 *
 * check: -n 2: none
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Info info;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, "same_size", "true");
    MPI_Win_create(window, sizeof window, sizeof *window, info, MPI_COMM_WORLD, &win);
    MPI_Info_free(&info);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
