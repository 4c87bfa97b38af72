/*
 * Messages that are taken long after they were sent, when many others have been sent and received: what is in them is
 * put aside meanwhile, and comes back for each order in which rank 0 takes them.  Rank 0 aborts if it is something else.
 *
 * explore: -n 3 infinite: runs 6 clean 6
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 16, LATE = 2, MANY = 100 };

static char buffer[BYTES];

static void fill(int rank, int number)
{
    memset(buffer, rank, BYTES);
    buffer[number] = (char)(100 + number);
}

static void check(int rank, int number)
{
    for (int i = 0; i < BYTES; i++)
        if (buffer[i] != (i == number ? (char)(100 + number) : (char)rank))
            MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    int rank, taken[3] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank && i < LATE; i++) {
        fill(rank, i);
        MPI_Send(buffer, BYTES, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
    for (int i = 0; i < MANY; i++) {
        if (rank == 1) {
            fill(rank, i);
            MPI_Send(buffer, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        } else if (rank == 0) {
            MPI_Recv(buffer, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check(1, i);
        }
    }
    for (int i = 0; !rank && i < 2 * LATE; i++) {
        MPI_Status status;

        MPI_Recv(buffer, BYTES, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        check(status.MPI_SOURCE, taken[status.MPI_SOURCE]++);
    }
    MPI_Finalize();
    return 0;
}
