/*
 * Rank 0 sends from an attached buffer and takes it back, which waits until the messages have left it: then it
 * goes on.  Tell what rank 1 does: it receives them; sends first, which is a circle if nothing is buffered
 * but there; or receives one only.
 *
 * explore: -n 2 infinite -- receives: runs 1 clean 1
 * explore: -n 2 zero -- receives: runs 1 clean 1
 * explore: -n 2 any -- receives: runs 1 clean 1
 * explore: -n 2 any -- sends: runs 1 clean 1 cuts 1
 * explore: -n 2 zero -- sends: runs 1 deadlock 1
 * explore: -n 2 infinite -- sends: runs 1 clean 1
 * explore: -n 2 any -- loses: runs 1 clean 1 cuts 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, value = 7, size = 2000;
    char *buffer = malloc((size_t)size);
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Buffer_attach(buffer, size);
        MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Ibsend(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Buffer_detach(&buffer, &size);
        if (strcmp(argv[1], "sends") == 0)
            MPI_Recv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (strcmp(argv[1], "sends") == 0)
            MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        if (strcmp(argv[1], "loses") != 0)
            MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}
