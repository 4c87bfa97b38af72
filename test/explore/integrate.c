/*
 * Tasks dealt to workers beforehand, results from any source: (n-1)! orders.
 *
 * explore: -n 4 infinite: runs 6 clean 6
 * explore: -n 4 zero: runs 6 clean 6
 * explore: -n 6 infinite: runs 120 clean 120
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value, sum = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int worker = 1; worker < size; worker++)
            MPI_Send(&worker, 1, MPI_INT, worker, worker, MPI_COMM_WORLD);
        for (int worker = 1; worker < size; worker++) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += value;
        }
        assert(sum == size * (size - 1) / 2);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Send(&value, 1, MPI_INT, 0, status.MPI_TAG, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
