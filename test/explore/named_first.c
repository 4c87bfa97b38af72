/*
 * A receive that names its source and a wildcard posted after it: which goes first
 * depends on what is there.  Rank 1's first message must take the named one, its
 * second competes with rank 2's for the wildcards: two runs.
 *
 * explore: -n 3 infinite: runs 2 clean 2
 * explore: -n 3 zero: runs 2 clean 2
 */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[3];
    MPI_Request request[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        MPI_Irecv(&value[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        for (int i = 1; i < 3; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[i]);
        for (int i = 0; i < 3; i++)
            MPI_Wait(&request[i], MPI_STATUS_IGNORE);
        assert(value[0] == 0);
        break;
    case 1:
        for (int i = 0; i < 2; i++)
            MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        break;
    case 2:
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        break;
    }
    MPI_Finalize();
    return 0;
}
