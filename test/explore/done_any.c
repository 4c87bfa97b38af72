/*
 * Rank 0 waits for one of three: a message of rank 1, a buffered send, and a receive from MPI_PROC_NULL, of which two are
 * complete when they are made.  MPI may name any of them (D7); with `some`, any set, and a test cannot say no; with `twice`,
 * one after the other, and a receive from any source is decided meanwhile.
 *
 * explore: -n 2 infinite: runs 3 clean 3
 * explore: -n 2 zero: runs 3 clean 3
 * explore: -n 2 any: runs 3 clean 3
 * explore: -n 2 infinite -- some: runs 7 clean 7
 * explore: -n 2 any -- some: runs 7 clean 7
 * explore: -n 3 infinite -- twice: runs 12 clean 12
 */
#include <mpi.h>
#include <string.h>

static char buffer[1000 + MPI_BSEND_OVERHEAD];

int main(int argc, char **argv)
{
    int rank, ranks, size, count = 1, index[3], in, out = 5, null;
    const char *how = argc > 1 ? argv[1] : "once";
    MPI_Request request[3];
    void *detached;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Buffer_attach(buffer, sizeof buffer);
    if (rank == 0) {
        MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Ibsend(&out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Irecv(&null, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &request[2]);
        if (strcmp(how, "some") == 0)
            MPI_Testsome(3, request, &count, index, MPI_STATUSES_IGNORE);
        else
            MPI_Waitany(3, request, index, MPI_STATUS_IGNORE);
        if (strcmp(how, "twice") == 0)
            MPI_Testany(3, request, index, &count, MPI_STATUS_IGNORE);
        if (count == 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
        for (int i = 2; i < ranks; i++)
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Buffer_detach(&detached, &size);
    MPI_Finalize();
    return 0;
}
