/*
 * The owner detaches memory before the other rank has put there (MPI-4.0, 12.2.4).
 *
 * check: -n 2: rma-bounds error HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, *memory;
    MPI_Aint place = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Alloc_mem(4 * sizeof *memory, MPI_INFO_NULL, &memory);
    MPI_Win_attach(win, memory, 4 * sizeof *memory);
    MPI_Get_address(memory, &place);
    MPI_Bcast(&place, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    MPI_Win_detach(win, memory);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, place, 1, MPI_INT, win); /* HERE */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Free_mem(memory);
    MPI_Finalize();
    return 0;
}
