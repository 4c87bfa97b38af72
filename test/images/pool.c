/*
 * Blocks of several sizes, which are freed as their numbers come, in 24 orders; then others are allocated.  What is told
 * of a history is which numbers have come: 1, 4, 6 and 4 sets of 0 to 3 of the numbers from 1 to 4.
 *
 * images: -n 5: 15
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 40, MIDDLE = 3000, LARGE = 100000 };

static void *block[5][3];

static void *filled(size_t size)
{
    return memset(malloc(size), 1, size);
}

int main(int argc, char **argv)
{
    int rank, size, number = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 1; i < size; i++) {
            block[i][0] = filled(SMALL);
            block[i][1] = filled(MIDDLE);
            block[i][2] = filled(LARGE);
        }
        for (int i = 1; i < size; i++) {
            MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int j = 0; j < 3; j++) {
                free(block[number][j]);
                block[number][j] = NULL;
            }
            free(realloc(realloc(malloc(30), MIDDLE), LARGE));
            number = 0;
        }
    }
    MPI_Finalize();
    return 0;
}
