/*
 * Rank 0 waits in MPI_Comm_disconnect for rank 1, which disconnects, too; or waits for a message that rank 0 would
 * send after that.
 *
 * explore: -n 2 any -- both: runs 1 clean 1
 * explore: -n 2 infinite -- one: runs 1 deadlock 1
 * explore: -n 2 any -- one: runs 1 deadlock 1
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 1 && argc > 1 && strcmp(argv[1], "one") == 0)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&comm);
    if (rank == 0 && argc > 1 && strcmp(argv[1], "one") == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
