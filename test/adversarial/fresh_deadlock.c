/*
 * Rank 1 waits for a rank that has ended.  If that rank does so only in a copy of its process, which the instruction
 * itself tells, it is no deadlock of the program.
 *
 * check: -n 3 -- copy: divergence warning WAITS
 * check: -n 3 -- copy: divergence warning -
 * runs: -n 3 -- copy: 2, merged 2
 * check: -n 3 -- always: deadlock error WAITS
 * runs: -n 3 -- always: 2, merged 1
 * check: -n 3 -- never: none
 * runs: -n 3 -- never: 2, merged 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static long number(void)
{
    long number = SYS_getpid;
    __asm__ volatile("syscall" : "+a"(number) : : "rcx", "r11", "memory");
    return number;
}

int main(int argc, char **argv)
{
    int rank, value = 0;
    const char *when = argv[1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        long before = number();
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (strcmp(when, "always") == 0 || (strcmp(when, "copy") == 0 && number() != before))
            exit(0);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
    }
    MPI_Finalize();
    return 0;
}
