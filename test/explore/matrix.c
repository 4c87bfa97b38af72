/*
 * Matrix times matrix: the master gives a row to each worker, and another one to
 * whoever has answered, until there are none left.  With w workers and r >= w rows any
 * of w may answer next while there are rows to give, then any of those left:
 * w^(r-w) w! runs, and the product is right in all of them.
 *
 * explore: -n 3 infinite -- 2: runs 2 clean 2
 * explore: -n 3 infinite -- 4: runs 8 clean 8
 * explore: -n 3 zero -- 4: runs 8 clean 8
 * explore: -n 4 infinite -- 5: runs 54 clean 54
 * explore: -n 3 any -- 4: runs 8 clean 8
 */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

enum { MOST = 16, DONE = MOST };

static void master(int workers, int rows)
{
    int product[MOST], given = 0, value;
    MPI_Status status;
    for (int worker = 1; worker <= workers; worker++, given++)
        MPI_Send(&given, 1, MPI_INT, worker, given, MPI_COMM_WORLD);
    for (int row = 0; row < rows; row++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        product[status.MPI_TAG] = value;
        int tag = given < rows ? given : DONE;
        MPI_Send(&given, 1, MPI_INT, status.MPI_SOURCE, tag, MPI_COMM_WORLD);
        given += given < rows;
    }
    for (int row = 0; row < rows; row++)
        assert(product[row] == 3 * row);
}

static void worker(void)
{
    int value;
    MPI_Status status;
    while (MPI_Recv(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status), status.MPI_TAG != DONE) {
        value *= 3;
        MPI_Send(&value, 1, MPI_INT, 0, status.MPI_TAG, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size, rows = atoi(argv[1]);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        master(size - 1, rows);
    else
        worker();
    MPI_Finalize();
    return 0;
}
