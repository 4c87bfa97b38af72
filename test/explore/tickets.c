/*
 * Everybody takes a ticket: one order of atomic accesses for each run.  With an argument, tickets are only counted, by accumulates without a
 * result, which commute; or only read.
 *
 * explore: -n 2 infinite: runs 2 clean 2
 * explore: -n 3 infinite: runs 6 clean 6
 * explore: -n 3 zero: runs 6 clean 6
 * explore: -n 3 any: runs 6 clean 6
 * explore: -n 3 infinite -- sum: runs 1 clean 1
 * explore: -n 4 infinite -- read: runs 1 clean 1
 * explore: -n 4 any -- read: runs 1 clean 1
 * explore: -n 3 any -- sum: runs 1 clean 1
 * merged: -n 4 infinite: runs 1 clean 1
 * merged: -n 4 any: runs 1 clean 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one = 1, old, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    if (argc > 1 && argv[1][0] == 's')
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    else
        MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, argc > 1 ? MPI_NO_OP : MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
