/*
 * Random numbers of the kernel decide, which the program has with an instruction of its own: nobody stands in front of that.
 *
 * check: -n 1: divergence warning -
 * runs: -n 1: 1, merged 1
 * check: -n 1 -- right: none
 * runs: -n 1 -- right: 1, merged 1
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sys/syscall.h>

static unsigned draw(void)
{
    unsigned number = 0;
    long call = SYS_getrandom;

    __asm__ volatile("syscall" : "+a"(call) : "D"(&number), "S"(sizeof number), "d"(0) : "rcx", "r11", "memory");
    return number;
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
