/*
 * One wildcard receiver that has much memory and writes to little of it; everybody else sends once: (n-1)! orders.
 * usage: resident MEGABYTES
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, value;
    size_t bytes = (size_t)(argc > 1 ? atoi(argv[1]) : 200) << 20;
    volatile char *memory; /* the compiler would see that nobody reads it */

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        memory = malloc(bytes);
        memset((char *)memory, 1, bytes);
        for (int i = 1; i < size; i++) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            memory[bytes / size * i] += (char)value;
        }
        free((char *)memory);
    }
    MPI_Finalize();
    return 0;
}
