/*
 * A send is cancelled that nobody receives.  If it is buffered the cancel may fail, and the message is lost; if not, not.  A
 * synchronous send is always withdrawn: the wait for it must not depend on others.
 *
 * check: -n 2 -- standard: lost-message warning STANDARD
 * runs: -n 2 -- standard: 2, merged 2
 * check: -n 2 --buffering=infinite -- standard: lost-message warning STANDARD
 * runs: -n 2 --buffering=infinite -- standard: 2, merged 2
 * check: -n 2 --buffering=zero -- standard: none
 * runs: -n 2 --buffering=zero -- standard: 1, merged 1
 * check: -n 2 --buffering=eager=4 -- standard: lost-message warning STANDARD
 * runs: -n 2 --buffering=eager=4 -- standard: 2, merged 2
 * check: -n 2 --buffering=eager=3 -- standard: none
 * runs: -n 2 --buffering=eager=3 -- standard: 1, merged 1
 * check: -n 2 -- synchronous: none
 * runs: -n 2 -- synchronous: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        if (argv[1][1] == 't')
            MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* STANDARD */
        else
            MPI_Issend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
