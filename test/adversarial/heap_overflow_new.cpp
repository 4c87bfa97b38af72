/*
 * C++: what comes from new is from malloc, too; a vector's reserve is its memory.
 *
 * check: -n 2: buffer-overflow error SEND
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 1, merged 1
 */
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
    int rank, right = argc > 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *data = new double[7]();
    std::vector<double> room;
    room.reserve(8);
    if (rank == 0)
        MPI_Send(data, right ? 7 : 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); /* SEND */
    else
        MPI_Recv(room.data(), 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    delete[] data;
    MPI_Finalize();
    return 0;
}
