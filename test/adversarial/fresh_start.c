/*
 * What a process is called by the kernel, asked for by the instruction itself, is another number in a copy: what comes of
 * it there is no defect of the program, which does something else from a fresh start.
 *
 * check: -n 3 -- crash: divergence warning CRASH
 * check: -n 3 -- crash: divergence warning -
 * runs: -n 3 -- crash: 2, merged 2
 * check: -n 3 -- abort: divergence warning ABORT
 * check: -n 3 -- abort: divergence warning -
 * runs: -n 3 -- abort: 2, merged 2
 * check: -n 3 --hang-timeout=1 -- hang: divergence warning HANG
 * check: -n 3 --hang-timeout=1 -- hang: divergence warning -
 * runs: -n 3 --hang-timeout=1 -- hang: 2, merged 2
 * check: -n 3 -- exit: divergence warning -
 * check: -n 3 -- exit: divergence warning -
 * runs: -n 3 -- exit: 2, merged 2
 * check: -n 3 -- quit: divergence warning -
 * check: -n 3 -- quit: divergence warning -
 * runs: -n 3 -- quit: 2, merged 2
 * check: -n 3 -- always: crash error ALWAYS
 * runs: -n 3 -- always: 2, merged 2
 * check: -n 3 -- nothing: none
 * runs: -n 3 -- nothing: 2, merged 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long number(void)
{
    long number = SYS_getpid;
    __asm__ volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory");
    return number;
}

int main(int argc, char **argv)
{
    int rank, first, second;
    const char *how = argv[1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        long before = number();
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (number() != before && strcmp(how, "crash") == 0)
            abort(); /* CRASH */
        if (number() != before && strcmp(how, "abort") == 0)
            MPI_Abort(MPI_COMM_WORLD, 3); /* ABORT */
        if (number() != before && strcmp(how, "hang") == 0)
            for (;;)
                pause(); /* HANG */
        if (number() != before && strcmp(how, "exit") == 0) {
            MPI_Finalize();
            return 4;
        }
        if (number() != before && strcmp(how, "quit") == 0)
            return 0;
        if (strcmp(how, "always") == 0)
            abort(); /* ALWAYS */
    }
    MPI_Finalize();
    return 0;
}
