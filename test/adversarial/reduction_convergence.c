/*
 * A master and its deputy both sum up the residuals and look whether they are small enough: 0.1 + 0.2 + 0.3 is 0.6, or a little more,
 * by the order.  If one goes on and the other does not, they part.  The corrected program has one of them decide.
 *
 * check: -n 3: none
 * runs: -n 3: 1, merged 1
 * check: -n 3 --reductions=noted: reduction-order note MASTER
 * check: -n 3 --reductions=noted: reduction-order note DEPUTY
 * runs: -n 3 --reductions=noted: 1, merged 1
 * check: -n 3 --reductions=orders: reduction-order note MASTER
 * check: -n 3 --reductions=orders: reduction-order note DEPUTY
 * check: -n 3 --reductions=orders: deadlock error STEP
 * runs: -n 3 --reductions=orders: 4, merged 4
 * check: -n 3 --reductions=orders -W reduction-order=off -- right: none
 * runs: -n 3 --reductions=orders -W reduction-order=off -- right: 4, merged 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    static const double residuals[] = {0.1, 0.2, 0.3};
    double sum = 0;
    int rank, again = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(&residuals[rank], &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /* MASTER */
    if (rank == 0)
        again = sum > 0.6;
    MPI_Reduce(&residuals[rank], &sum, 1, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD); /* DEPUTY */
    if (rank == 1)
        again = sum > 0.6;
    if (argc > 1)
        MPI_Bcast(&again, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else if (rank == 0)
        MPI_Send(&again, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    else if (rank == 2)
        MPI_Recv(&again, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (again)
        MPI_Barrier(MPI_COMM_WORLD); /* STEP */
    MPI_Finalize();
    return 0;
}
