/*
 * Rank 1 sends to rank 0 and then to rank 2, which sends to rank 0 as well ([Vo 2011],
 * Fig. 3.1).  With buffering the second message may overtake the
 * first; without, rank 2 hears of rank 1 only after rank 0 has.
 *
 * explore: -n 3 infinite: runs 2 clean 2
 * explore: -n 3 zero: runs 1 clean 1
 * explore: -n 3 any: runs 2 clean 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        break;
    case 2:
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        break;
    }
    MPI_Finalize();
    return 0;
}
