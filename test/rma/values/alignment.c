/*
 * Windows that begin anywhere: at every byte of a word, and at odd displacements.
 *
 * run: -n 2
 * broken: mpich: 4.0 over UCX reads and writes at the next lower multiple of 16 of the window's address
 * check: -n 2: none
 */
#include <string.h>

#include <mpi.h>

#include "check_value.h"

enum { BYTES = 64 };

static char memory[BYTES + 16];

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int from = 0; from < 16; from++) {
        char text[4] = "abc", back[4] = "";
        MPI_Win win;

        memset(memory, '.', sizeof memory);
        MPI_Win_create(memory + from, BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        MPI_Win_fence(0, win);
        MPI_Put(text, 3, MPI_CHAR, 1 - rank, 5, 3, MPI_CHAR, win);
        MPI_Win_fence(0, win);
        CHECK(memcmp(memory + from + 4, ".abc.", 5) == 0);
        MPI_Get(back, 3, MPI_CHAR, 1 - rank, 4, 3, MPI_CHAR, win);
        MPI_Win_fence(0, win);
        CHECK(memcmp(back, ".ab", 3) == 0);
        MPI_Win_free(&win);
    }
    return end();
}
