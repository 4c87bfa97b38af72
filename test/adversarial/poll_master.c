/*
 * The master asks for results, up to 200 times each, and does a worker's part itself when it gives up: the result that comes all the
 * same is taken in the end.  With `forgets` it is not.
 *
 * check: -n 3: none
 * runs: -n 3: 18, merged 1
 * check: -n 3 -- forgets: lost-message warning SENT
 * check: -n 3 -- forgets: buffering-deadlock error SENT
 * runs: -n 3 -- forgets: 17, merged 4
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value, own = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* SENT */
    } else {
        for (int worker = 1; worker < size; worker++) {
            int seen = 0, i;

            for (i = 0; i < 200 && !seen; i++)
                MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &seen, MPI_STATUS_IGNORE); /* ASKS */
            if (seen)
                MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            else
                own++;
            i = seen = 0;
        }
        for (; own > 0 && argc == 1; own--)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
