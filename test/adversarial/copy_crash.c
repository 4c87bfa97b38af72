/*
 * A rank that cannot be copied, since it has a pipe of its own, divides by zero in one of two outcomes: it is run again
 * from its start, and the line is found all the same.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, first = 0, second, end[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else {
        if (pipe(end) != 0)
            return 1;
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (argc == 1)
            first = 6 / (first - 2); /* CRASH */
    }
    MPI_Finalize();
    return first == 7;
}
