/*
 * A receive is freed before its message comes.  After a barrier with the sender, or another
 * message from it, the first one is in its buffer: libraries do so, though MPI does not
 * promise it before MPI_Comm_disconnect.
 *
 * explore: -n 3 infinite: runs 2 clean 2
 * explore: -n 3 zero: runs 2 clean 2
 * explore: -n 3 any: runs 2 clean 2
 */
#include <mpi.h>

static int early[3];

static void expect(int sum)
{
    if (early[0] + early[1] + early[2] != sum)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void receive_and_free(int source, int tag)
{
    MPI_Request request;

    MPI_Irecv(&early[tag], 1, MPI_INT, source, tag, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    int rank, value;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 0) {
        receive_and_free(1, 0);
        receive_and_free(2, 1);
        MPI_Barrier(MPI_COMM_WORLD);
        expect(3);
        receive_and_free(1, 2);
        MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(7);
        for (int i = 0; i < 2; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        receive_and_free(2, 0);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, rank - 1, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        value = 4;
        for (int tag = 2; rank == 1 && tag < 4; tag++)
            MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
        value = 10;
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Comm_disconnect(&comm);
    if (rank == 0)
        expect(16);
    MPI_Finalize();
    return 0;
}
