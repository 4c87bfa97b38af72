/*
 * Linked to MPI, asks whether it is initialized, but never initializes it.
 *
 * run: -n 2 a b
 * exit: 4
 * expect: "2 arguments, last b, initialized 0"
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int flag;

    MPI_Initialized(&flag);
    printf("%d arguments, last %s, initialized %d\n", argc - 1, argv[argc - 1], flag);
    return 4;
}
