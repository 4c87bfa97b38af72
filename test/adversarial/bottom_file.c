/*
 * A file is written from MPI_BOTTOM and read back to it.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, a, b;
    char name[512];
    MPI_Aint at[2];
    MPI_Datatype type;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s/file.%d", getenv("FOLDER"), rank);
    MPI_Get_address(&a, &at[0]);
    MPI_Get_address(&b, &at[1]);
    MPI_Type_create_hindexed(2, (int[]){1, 1}, at, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    a = 10 + rank;
    b = 20 + rank;
    MPI_File_write_at(file, 0, MPI_BOTTOM, 1, type, MPI_STATUS_IGNORE);
    a = b = 0;
    MPI_File_read_at(file, 0, MPI_BOTTOM, 1, type, MPI_STATUS_IGNORE);
    if (a != 10 + rank || b != 20 + rank)
        abort();
    MPI_File_close(&file);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
