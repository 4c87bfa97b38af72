/*
 * A wildcard on an intercommunicator: rank 0 is alone in its group and hears of the
 * two of the other group, 0 and 1 there, in two orders.
 *
 * explore: -n 3 infinite: runs 2 clean 2
 * explore: -n 3 zero: runs 2 clean 2
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value;
    MPI_Comm group, other;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 0, &other);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, other);
    } else {
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, other, &status);
            assert(value == status.MPI_SOURCE + 1);
        }
    }
    MPI_Comm_free(&other);
    MPI_Comm_free(&group);
    MPI_Finalize();
    return 0;
}
