/*
 * The bytes that the kernel gives every new process decide.
 *
 * check: -n 1: divergence warning -
 * runs: -n 1: 1, merged 1
 * check: -n 1 -- right: none
 * runs: -n 1 -- right: 1, merged 1
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <string.h>
#include <sys/auxv.h>

static unsigned draw(void)
{
    unsigned number;

    memcpy(&number, (const void *)getauxval(AT_RANDOM), sizeof number);
    return number;
}

int main(int argc, char **argv)
{
    unsigned chance = draw();

    MPI_Init(&argc, &argv);
    for (unsigned i = 0; argc == 1 && i < chance % 64; i++)
        MPI_Barrier(MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
