/*
 * Rank 0 reads on in a file after each message it takes: how far it has come in one run
 * is nothing to the others.
 *
 * explore: -n 3 infinite: runs 2 clean 2
 * explore: -n 4 infinite: runs 6 clean 6
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, value;
    FILE *file = tmpfile();

    fputs("0123456789", file);
    fflush(file);
    lseek(fileno(file), 0, SEEK_SET);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size - 1; i++) {
        char next = 0;

        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (read(fileno(file), &next, 1) != 1 || next != '0' + i)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
