/*
 * An exception that nobody catches, thrown by a template of the library: it is the line that used the
 * template which is told.
 *
 * check: -n 3: crash error BEYOND
 * check: -n 3 -- caught: none
 */
#include <mpi.h>
#include <stdexcept>
#include <vector>

static void put(std::vector<int> &values, int at, int value)
{
    values.at(at) = value; /* BEYOND */
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    std::vector<int> values;
    for (int i = 1; rank == 0 && i < size; i++) {
        int from;
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        values.push_back(0);
        if (argc < 2)
            put(values, from - 1, from);
        else
            try {
                put(values, from - 1, from);
            } catch (const std::out_of_range &) {
            }
    }
    MPI_Finalize();
    return 0;
}
