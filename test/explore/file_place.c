/*
 * A rank that has read further in its file is not where it was, though its memory is
 * the same: if the message of rank 2 is first it reads, and forgets what and why.  Then
 * it is further when it reads again.
 *
 * explore: -n 3 infinite: runs 2 clean 1 crash 1
 */
#include <assert.h>
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Status status;
        char byte = 0;
        int fd = open("/proc/self/exe", O_RDONLY);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 2)
            assert(read(fd, &byte, 1) == 1);
        byte = 0;
        memset(&status, 0, sizeof status);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(read(fd, &byte, 1) == 1);
        assert(byte == 0x7f); /* the first byte of an ELF file */
        close(fd);
    }
    MPI_Finalize();
    return 0;
}
