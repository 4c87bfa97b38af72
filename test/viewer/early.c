/*
 * The buffer of a pending send is written to: on the heap, where the line is seen; with an argument on the stack, where only
 * the contents tell.  The sends before it at the same line are waited for in time.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, local[4] = {0}, *v = argc > 1 ? local : calloc(10000, sizeof *v);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        MPI_Request request;
        if (rank == 1) {
            MPI_Recv(v, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            continue;
        }
        MPI_Isend(v, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* START */
        if (i == 1)
            v[2] = 7; /* STORE */
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* WAIT */
    }
    MPI_Finalize();
}
