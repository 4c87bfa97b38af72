/*
 * A file that is not closed.
 *
 * check: -n 2 -- wrong: file-leak warning HERE
 * check: -n 2: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file); /* HERE */
    if (argc == 1)
        MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
