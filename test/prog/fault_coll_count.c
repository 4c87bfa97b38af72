/*
 * A broadcast brings less than a member takes: what is left of its buffer is no data, and no library need say so.
 *
 * run: -n 2
 * exit: 1
 * compare: none
 * expect: ranks 0 and 1 do not agree in one collective how much there is
 * expect: brings 4 bytes
 * expect: takes 16 bytes
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, v[4] = {1, 2, 3, 4};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(v, rank ? 4 : 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
