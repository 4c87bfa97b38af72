/*
 * The counter of the processor decides what is called.  It is virtual, and so is the same each time.
 *
 * check: -n 1: none
 * runs: -n 1: 1, merged 1
 * check: -n 1 -- right: none
 * runs: -n 1 -- right: 1, merged 1
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <x86intrin.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    unsigned chance = (unsigned)(__rdtsc() >> 7);
    for (unsigned i = 0; argc == 1 && i < chance % 64; i++)
        MPI_Barrier(MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
