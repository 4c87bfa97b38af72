/*
 * Random numbers that the program has from the kernel with an instruction of its own decide, at the end of a run that is long: that is told before it is tried whether it comes out
 * the same, and told again when it does not.
 *
 * check: -n 2: divergence warning ENDS
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 1, merged 1
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
    for (int i = 0; i < 200; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    unsigned chance = draw();
    for (unsigned i = 0; argc == 1 && i < chance % 64; i++)
        MPI_Barrier(MPI_COMM_SELF);
    MPI_Finalize(); /* ENDS */
    return 0;
}
