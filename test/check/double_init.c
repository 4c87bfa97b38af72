/*
 * MPI_Init again.
 *
 * check: -n 2 -- wrong: double-init error TWICE
 * check: -n 2 -- wrong again: double-init error AGAIN
 * check: -n 2: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int more = argc;
    MPI_Init(&argc, &argv);
    if (more == 2)
        MPI_Init(&argc, &argv); /* TWICE */
    MPI_Finalize();
    if (more == 3)
        MPI_Init(&argc, &argv); /* AGAIN */
    return 0;
}
