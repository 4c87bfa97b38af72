/*
 * A rank that crashes while the others wait for it.
 *
 * run: -n 3
 * compare: none
 * exit: 139
 * expect: rank 1 signal 11
 * expect: at HERE
 */
#include "check.h"

static int *volatile nowhere;

static void crash(void)
{
    *nowhere = 1; /* HERE */
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        crash();
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
