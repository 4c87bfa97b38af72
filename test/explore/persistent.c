/*
 * A persistent wildcard receive, started twice for two senders: two orders.
 *
 * explore: -n 3 infinite: runs 2 clean 2
 * explore: -n 3 zero: runs 2 clean 2
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value, sum = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 2; i++) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            sum += value;
        }
        MPI_Request_free(&request);
        assert(sum == 1 + 2);
    }
    MPI_Finalize();
    return 0;
}
