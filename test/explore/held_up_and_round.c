/*
 * A rank that fetches from a window until somebody has stored there has sent something before, which is received late: with little slack
 * it has not come there yet, whenever it goes round with more.  What it owes there must not keep the two from being one state.
 *
 * merged: -n 2 infinite: runs 1 clean 1
 * merged: -n 2 zero: runs 1 clean 1
 * merged: -n 2 any: runs 1 clean 1
 */
#include <stddef.h>

#include <mpi.h>

static void fetch(MPI_Win win, int at, int *into, MPI_Op op)
{
    static const int one = 1;

    MPI_Fetch_and_op(&one, into, MPI_INT, 0, at, op, win);
    MPI_Win_flush(0, win);
}

int main(int argc, char **argv)
{
    int rank, got = 0, *window;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    window[0] = window[1] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        while (!got)
            fetch(win, 0, &got, MPI_NO_OP);
    } else {
        fetch(win, 1, &got, MPI_SUM);
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        fetch(win, 0, &got, MPI_REPLACE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
