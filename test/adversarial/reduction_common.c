/*
 * All members of an MPI_Allreduce get the same sum, whichever it is, so they go on together; also if the reduction does not block.
 * Sums of whole numbers, and a largest number, are the same in any order.
 *
 * check: -n 3 --reductions=orders -W reduction-order=off: none
 * runs: -n 3 --reductions=orders -W reduction-order=off: 4, merged 1
 * check: -n 3 --reductions=orders -- none: none
 * runs: -n 3 --reductions=orders -- none: 1, merged 1
 */
#include <mpi.h>

static const double residuals[] = {0.1, 0.2, 0.3};

static void step_if(int again)
{
    if (again)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    double sum, largest;
    int rank, whole;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 1) {
        MPI_Allreduce(&residuals[rank], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        step_if(sum > 0.6);
        MPI_Iallreduce(&residuals[rank], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        step_if(sum > 0.6);
    }
    MPI_Allreduce(&residuals[rank], &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &whole, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    step_if(largest > 0.25 && whole == 3);
    MPI_Finalize();
    return 0;
}
