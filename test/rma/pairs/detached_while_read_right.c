/*
 * The owner of memory tells another rank where it is, and detaches it when that has read it
 * (MPI-4.0, 12.2.4).
 *
 * check: -n 2: none
 */
#include <stddef.h>

#include <mpi.h>

static int memory[4] = {1, 2, 3, 4};

int main(int argc, char **argv)
{
    int rank, got = 0;
    MPI_Aint place;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Win_attach(win, memory, sizeof memory);
        MPI_Get_address(memory, &place);
        MPI_Send(&place, 1, MPI_AINT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_detach(win, memory);
    } else {
        MPI_Recv(&place, 1, MPI_AINT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&got, 1, MPI_INT, 0, place, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return rank == 1 && got != 1;
}
