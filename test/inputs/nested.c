/*
 * Rank 0 reads a file, and tells the others how deep it is.  At the innermost condition it forgets to tell the last one, if it is built
 * with -DWRONG.
 */
#include <mpi.h>
#include <stdio.h>

#include "nested.h"

int main(int argc, char **argv)
{
    unsigned char file[64] = {0};
    int rank, size, depth = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        FILE *stream = argc > 1 ? fopen(argv[1], "rb") : stdin;
        size_t bytes = stream ? fread(file, 1, sizeof file, stream) : 0;
        depth = nested_depth(file, bytes);
#ifdef WRONG
        if (depth == 3)
            size--;
#endif
        for (int other = 1; other < size; other++)
            MPI_Send(&depth, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&depth, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
