/*
 * All others connect to a port of rank 0, which accepts one after the other, as many as its argument says: whom it accepts is a choice, k! runs
 * for k that connect and are accepted.  Who is left waits for ever: with two that connect and one accept, one of the two.
 *
 * explore: -n 3 infinite -- 2: runs 2 clean 2
 * explore: -n 3 zero -- 2: runs 2 clean 2
 * explore: -n 3 any -- 2: runs 2 clean 2
 * explore: -n 4 infinite -- 3: runs 6 clean 6
 * explore: -n 3 infinite -- 1: runs 2 deadlock 2
 * explore: -n 3 any -- 1: runs 2 deadlock 2
 * explore: -n 2 infinite -- 1: runs 1 clean 1
 * explore: -n 2 any -- 2: runs 1 deadlock 1
 * merged: -n 3 infinite -- 2: runs 2 clean 2
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, accepts = argc > 1 ? atoi(argv[1]) : 1;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; i < (rank == 0 ? accepts : 1); i++) {
        if (rank == 0)
            MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
        else
            MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
        MPI_Comm_disconnect(&other);
    }
    MPI_Finalize();
    return 0;
}
