/*
 * The buffer of MPI_Bsend stays attached.
 *
 * check: -n 1 -- wrong: buffer-not-detached warning HERE
 * check: -n 1: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    static char buffer[4096 + MPI_BSEND_OVERHEAD];
    int in, out = 1, size;
    char *back;
    MPI_Init(&argc, &argv);
    MPI_Buffer_attach(buffer, sizeof buffer); /* HERE */
    MPI_Bsend(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (argc == 1)
        MPI_Buffer_detach(&back, &size);
    MPI_Finalize();
    return 0;
}
