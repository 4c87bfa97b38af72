/*
 * A tag above those that every MPI library has; a program that has asked for
 * MPI_TAG_UB knows what it does.
 *
 * check: -n 1 -- wrong: portability note HERE
 * check: -n 1: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int *limit, flag, v = 0;
    MPI_Init(&argc, &argv);
    if (argc == 1)
        MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &limit, &flag);
    for (int i = 32767; i < 32770; i++)
        MPI_Send(&v, 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD); /* HERE */
    MPI_Finalize();
    return 0;
}
