/*
 * One broadcasts and then enters the barrier, the other the other way round ([Vo 2011],
 * Fig. 2.6).  The thesis calls it a deadlock if the broadcast waits;
 * for MPI it is an error in any case, and there is nothing to decide: one run.
 *
 * explore: -n 2 infinite: runs 1 mismatch 1
 * explore: -n 2 zero: runs 1 mismatch 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
