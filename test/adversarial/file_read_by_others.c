/*
 * Rank 0 writes to a file who was first, and the others read it.  What a rank reads is part of what it is told, so the runs are not merged.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 2
 * assumed: -n 3: files: which all ranks and runs share, save what MPI calls read of files that MPI calls have written
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void meet(MPI_File file)
{
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
}

int main(int argc, char **argv)
{
    int rank, first, value;
    char path[4096];
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s/first", getenv("FOLDER"));
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_File_write_at(file, 0, &first, 1, MPI_INT, MPI_STATUS_IGNORE);
        meet(file);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        meet(file);
        MPI_File_read_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
