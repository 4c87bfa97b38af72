/*
 * Two ranks put different fields of a record, with struct types that leave the other out (MPI-4.0, 12.3.1).
 *
 * check: -n 3: none
 */
#include <stddef.h>

#include <mpi.h>

static struct record {
    double first, second;
} window;

int main(int argc, char **argv)
{
    int rank, length = 1;
    struct record mine = {7, 7};
    MPI_Aint place;
    MPI_Datatype number = MPI_DOUBLE, field;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&window, sizeof window, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    place = rank == 0 ? offsetof(struct record, first) : offsetof(struct record, second);
    MPI_Type_create_struct(1, &length, &place, &number, &field);
    MPI_Type_commit(&field);
    MPI_Win_fence(0, win);
    if (rank < 2)
        MPI_Put(&mine, 1, field, 2, 0, 1, field, win);
    MPI_Win_fence(0, win);
    MPI_Type_free(&field);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 2 && window.first + window.second != 14;
}
