/*
 * The last rank asks many times in vain before it sends; all others ask until its message is there.  Nobody is stuck, whoever is
 * looked at first, and however late it gives up.  With `lost` it does not send, and the others ask for ever.
 *
 * check: -n 3 -- 10000: none
 * runs: -n 3 -- 10000: merged 1
 * segments: -n 3 -- 10000: 18307
 * check: -n 3 -- 30000: none
 * runs: -n 3 -- 30000: merged 1
 * check: -n 3 -- 30000 lost: livelock error ASKS
 * runs: -n 3 -- 30000 lost: merged 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, done = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; !done && (rank < size - 1 || i < atoi(argv[1])); i++)
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE); /* ASKS */
    for (int i = 0; rank == size - 1 && argc == 2 && i < size - 1; i++)
        MPI_Send(&rank, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    if (rank < size - 1)
        MPI_Recv(&size, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
