/*
 * stop -- a program that would never end: one rank computes, one waits, one
 * polls, one sleeps in a child process.
 */
#include "check.h"

int main(int argc, char **argv)
{
    volatile unsigned long spin = 0;
    int v, there = 0;

    begin(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        say("ready");
        for (;;)
            spin = spin + 1;
    }
    if (rank == 1)
        return system("sleep 1000");
    while (rank == 2 && !there)
        MPI_Iprobe(0, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
