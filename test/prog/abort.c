/*
 * MPI_Abort in one rank ends all, with its code, though the others wait.
 *
 * run: -n 3
 * exit: 7
 * expect: rank 1 aborting
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v;

    begin(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        say("aborting");
        MPI_Abort(MPI_COMM_WORLD, 7);
    }
    MPI_Recv(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("not reached");
    return finish();
}
