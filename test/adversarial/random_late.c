/*
 * The counter of the processor decides, at the end of a run that is long: that is told before it is tried whether it comes out
 * the same, and told again when it does not.
 *
 * check: -n 2: divergence warning ENDS
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 1, merged 1
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <x86intrin.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 200; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    unsigned chance = (unsigned)(__rdtsc() >> 7);
    for (unsigned i = 0; argc == 1 && i < chance % 64; i++)
        MPI_Barrier(MPI_COMM_SELF);
    MPI_Finalize(); /* ENDS */
    return 0;
}
