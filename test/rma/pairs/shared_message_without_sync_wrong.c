/*
 * One rank stores to a shared window and tells the other by a message; neither calls MPI_Win_sync (MPI-4.0, 12.7: the
 * call is necessary for portable behaviour).
 *
 * check: -n 2: portability note SECOND
 * race: -n 2: FIRST SECOND
 */
#include <stddef.h>

#include <mpi.h>

static volatile int seen;

int main(int argc, char **argv)
{
    int rank, unit, *mine, *first;
    MPI_Aint size;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &first);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        *first = 7; /* FIRST */
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen = *first; /* SECOND */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
