/*
 * Each rank reads its part of the input, here the program itself.  One that cannot open the file says so and goes home alone; the
 * others wait for it in the sum.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * check: -n 2 --faults=open: deadlock error SUM
 * runs: -n 2 --faults=open: 3, merged 3
 * assumed: -n 2 --faults=open: faults: open failed, one call of one rank in a run, at 2 of 2 places (rank 0: 1, rank 1: 1)
 * check: -n 2 --faults=open -- right: none
 * runs: -n 2 --faults=open -- right: 3, merged 2
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, opened, all, sum = 0;
    FILE *file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    file = fopen(argv[0], "r");
    opened = file != NULL;
    if (!opened)
        fprintf(stderr, "rank %d: there is no input\n", rank);
    if (argc > 1)
        MPI_Allreduce(&opened, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    else
        all = opened;
    if (all)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* SUM */
    if (file)
        fclose(file);
    MPI_Finalize();
    return 0;
}
