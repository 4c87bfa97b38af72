/*
 * Random numbers of the kernel decide what is called: the same whenever the rank is run again.
 *
 * check: -n 1: none
 * runs: -n 1: 1, merged 1
 * check: -n 1 -- right: none
 * runs: -n 1 -- right: 1, merged 1
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sys/random.h>

static unsigned draw(void)
{
    unsigned number = 0;

    return getrandom(&number, sizeof number, 0) == sizeof number ? number : 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    unsigned chance = draw();
    for (unsigned i = 0; argc == 1 && i < chance % 64; i++)
        MPI_Barrier(MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
