/*
 * A buffer for each message, which is cleared and freed.  What they add up to is
 * remembered: after 0, 1, 2 and 3 of the numbers from 1 to 4 there are 1, 4, 5 and 4 sums.
 *
 * images: -n 5: 14
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    volatile int sum = 0; /* kept, though nobody wants it */

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 1; i < size; i++) {
            int *value = calloc(1000, sizeof *value);
            MPI_Recv(value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += *value;
            *value = 0;
            free(value);
        }
    }
    MPI_Finalize();
    return 0;
}
