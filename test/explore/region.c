/*
 * One wildcard receiver; the arguments say before which of its receives MPI_Pcontrol(0) and
 * MPI_Pcontrol(1) are called, counted from 1.  In between, a receive takes the first match
 * only (128: that was cut).  So of four orders in the first, three in the second and so on,
 * those of the receives outside are left.
 *
 * explore: -n 5 infinite -- 0 0: runs 24 clean 24
 * explore: -n 5 infinite -- 1 0: runs 1 clean 1 left 128
 * explore: -n 5 infinite -- 1 3: runs 2 clean 2 left 128
 * explore: -n 5 any -- 2 3: runs 8 clean 8 left 128
 * explore: -n 5 zero -- 3 4: runs 12 clean 12 left 128
 * explore: -n 5 zero -- 4 0: runs 24 clean 24
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < size; i++) {
        if (i == atoi(argv[1]))
            MPI_Pcontrol(0);
        if (i == atoi(argv[2]))
            MPI_Pcontrol(1);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
