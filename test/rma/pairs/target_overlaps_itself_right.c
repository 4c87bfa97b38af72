/*
 * The origin type of a put has the same place twice, which is allowed (MPI-4.0, 12.3.1).
 *
 * check: -n 2: none
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, one = 1, values[2] = {7, 7};
    MPI_Datatype same;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_vector(2, 1, 0, MPI_INT, &same);
    MPI_Type_commit(&same);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(values, one, same, 1, 0, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&same);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 1 && window[1] != 7;
}
