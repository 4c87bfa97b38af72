/*
 * All ranks have a file open together, and rank 0 hears twice from all others, in any order, which it forgets: 2 times 2 orders, which come to the same.
 * Open MPI has memory for the shared pointer of each file that is open, which other processes could map: it must not keep states apart, and
 * neither must a view or a pointer that has been moved.
 *
 * check: -n 3: none
 * runs: -n 3: 4, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0;
    char bytes[4];
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, argv[0], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, rank * 4, MPI_CHAR, MPI_CHAR, "native", MPI_INFO_NULL);
    MPI_File_read(file, bytes, 4, MPI_CHAR, MPI_STATUS_IGNORE);
    for (int round = 0; round < 2; round++) {
        for (int i = 1; rank == 0 && i < size; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank)
            MPI_Send(&round, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
