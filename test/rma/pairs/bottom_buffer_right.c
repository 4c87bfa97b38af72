/*
 * The buffer of a put is given by MPI_BOTTOM and a type with an absolute address, and stored to after the fence
 * (MPI-4.0, 12.3.1 and 5.1.12).
 *
 * check: -n 2: none
 */
#include <mpi.h>

static int window[4];
static int value = 7;

int main(int argc, char **argv)
{
    int rank, one = 1;
    MPI_Aint place;
    MPI_Datatype there;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Get_address(&value, &place);
    MPI_Type_create_hindexed(1, &one, &place, MPI_INT, &there);
    MPI_Type_commit(&there);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(MPI_BOTTOM, 1, there, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    value = 8;
    MPI_Type_free(&there);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 1 && (window[0] != 7 || value != 8);
}
