/*
 * A rank starts others, each of which sends it a message: in which order it receives these is a choice, k! runs for k of them.  With "half",
 * it wants one message more than there are.
 *
 * explore: -n 1 infinite: runs 2 clean 2
 * explore: -n 1 zero: runs 2 clean 2
 * explore: -n 1 any: runs 2 clean 2
 * explore: -n 1 infinite -- 3: runs 6 clean 6
 * explore: -n 2 infinite: runs 2 clean 2
 * explore: -n 1 infinite -- 1 more: runs 1 deadlock 1
 * merged: -n 1 infinite -- 3: runs 1 clean 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int number = 0, children = argc > 1 ? atoi(argv[1]) : 2, more = argc > 2;
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&other);
    if (other != MPI_COMM_NULL) {
        MPI_Send(&number, 1, MPI_INT, 0, 0, other);
    } else {
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, children, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
        for (int i = 0; rank == 0 && i < children + more; i++)
            MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, other, MPI_STATUS_IGNORE);
    }
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
