/*
 * Two masters share three workers, each of which sends four results to either.  Whoever comes first makes no difference to the masters, so
 * the orders merge; with less buffering a worker may have to wait for one master before it sends to the other, and what is
 * owed then (src/explore/tight.h) would keep all of them apart, 1.2e9 in all.  No buffering is a deadlock, which is found out without
 * debts (src/explore/slack_safety.h).
 *
 * merged: -n 5 infinite: runs 1 clean 1
 * merged: -n 5 zero: runs 1 clean 1
 * merged: -n 5 any: runs 1 clean 1
 */
#include <mpi.h>

enum { MASTERS = 2, RESULTS = 4 };

int main(int argc, char **argv)
{
    int rank, size, result = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank < MASTERS)
        for (int i = 0; i < RESULTS * (size - MASTERS); i++)
            MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        for (int i = 0; i < RESULTS; i++)
            for (int master = 0; master < MASTERS; master++)
                MPI_Send(&result, 1, MPI_INT, master, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
