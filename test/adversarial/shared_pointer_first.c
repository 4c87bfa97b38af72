/*
 * Two ranks take the first two bytes of the program's own file by its shared pointer.  Rank 0 is taken to be the first, which it is in one of two
 * orders: in the other one it waits for a message that nobody sends.  In the twin, whoever was first waits for the other.
 *
 * check: -n 2 -- wrong: deadlock error HERE
 * check: -n 2: none
 * runs: -n 2 -- wrong: 2, merged 2
 * runs: -n 2: 2, merged 2
 */
#include <mpi.h>

enum { FIRST_BYTE = 0x7f };

int main(int argc, char **argv)
{
    int rank, sign = 0, wrong = argc > 1;
    unsigned char byte = 0;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "/proc/self/exe", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_read_shared(file, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    if (wrong ? rank == 0 : byte == FIRST_BYTE)
        MPI_Recv(&sign, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    else if (byte != FIRST_BYTE)
        MPI_Send(&sign, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
