/*
 * A reduction operator that is not freed.
 *
 * check: -n 1 -- wrong: op-leak warning HERE
 * check: -n 1: none
 */
#include <mpi.h>

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int one = 1, sum;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Op_create(add, 1, &op); /* HERE */
    MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    if (argc == 1)
        MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
