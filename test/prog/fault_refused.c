/*
 * A call that tourney does not take over, here for more ranks than it allows: named, with rank and line.
 *
 * run: -n 2
 * compare: none
 * exit: 3
 * expect: rank 1 MPI_Comm_spawn at HERE
 */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Comm many;

    begin(&argc, &argv);
    if (rank == 1)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 65, MPI_INFO_NULL, 0, MPI_COMM_SELF, &many, MPI_ERRCODES_IGNORE); /* HERE */
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
