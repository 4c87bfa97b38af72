/*
 * A type of an int and a float is accumulated: all its components must be the same predefined type (MPI-4.0, 12.3.4).
 *
 * check: -n 2: rma-type error HERE
 */
#include <mpi.h>

static int window[4];

int main(int argc, char **argv)
{
    int rank, lengths[2] = {1, 1};
    struct {
        int first, second;
        float third;
    } values = {7, 0, 7};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_INT, MPI_FLOAT}, record;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_create_struct(2, lengths, places, types, &record);
    MPI_Type_commit(&record);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Accumulate(&values, 1, record, 1, 0, 1, record, MPI_SUM, win); /* HERE */
    MPI_Win_fence(0, win);
    MPI_Type_free(&record);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
