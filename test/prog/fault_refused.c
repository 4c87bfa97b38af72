/*
 * A call that tourney does not take over: named, with rank and line.
 *
 * run: -n 2
 * compare: none
 * exit: 3
 * expect: rank 1 MPI_Win_create at HERE
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v = 0;
    MPI_Win window;

    begin(&argc, &argv);
    if (rank == 1) {
        MPI_Win_create(&v, sizeof v, sizeof v, MPI_INFO_NULL, MPI_COMM_SELF, &window); /* HERE */
        MPI_Win_free(&window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
