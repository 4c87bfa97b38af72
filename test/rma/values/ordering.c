/*
 * Accumulates of one origin to one place happen in their order, without any flush between them.
 *
 * run: -n 2
 * check: -n 2: none
 */
#include <stddef.h>

#include <mpi.h>

#include "check_value.h"

enum { ROUNDS = 20 };

int main(int argc, char **argv)
{
    int *window, values[ROUNDS], seen[ROUNDS], fetched[ROUNDS];
    MPI_Win win;

    begin(&argc, &argv);
    MPI_Win_allocate(4 * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    window[0] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < ROUNDS; i++) {
        values[i] = i + 1;
        MPI_Accumulate(&values[i], 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Get_accumulate(NULL, 0, MPI_INT, &seen[i], 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_NO_OP, win);
        MPI_Fetch_and_op(&values[i], &fetched[i], MPI_INT, 1, 0, MPI_REPLACE, win);
    }
    MPI_Win_unlock_all(win);
    for (int i = 0; rank == 0 && i < ROUNDS; i++) {
        CHECK(seen[i] == i + 1);
        CHECK(fetched[i] == i + 1);
    }
    MPI_Win_free(&win);
    return end();
}
