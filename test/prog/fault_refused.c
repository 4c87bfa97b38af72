/*
 * A call that tourney does not take over: named, with rank and line.
 *
 * run: -n 2
 * compare: none
 * exit: 3
 * expect: rank 1 MPI_Open_port at HERE
 */
#include "check.h"

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME];

    begin(&argc, &argv);
    if (rank == 1) {
        MPI_Open_port(MPI_INFO_NULL, port); /* HERE */
        MPI_Close_port(port);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
