/*
 * The trapezoidal rule, as in Pacheco's "Parallel programming with MPI": rank 0 tells the
 * others the interval, each integrates its part, rank 0 adds up.  With a mistake: it asks
 * itself for a part, too.  The first line of Fig. 10 of [Palmer 2007].
 */
#include <mpi.h>
#include <stdio.h>

enum { LEFT, RIGHT, COUNT, PART };

static double f(double x)
{
    return x * x;
}

static double integrate(double left, double right, int n)
{
    double h = (right - left) / n, sum = (f(left) + f(right)) / 2;

    for (int i = 1; i < n; i++)
        sum += f(left + i * h);
    return sum * h;
}

int main(int argc, char **argv)
{
    int rank, size, n = 1024;
    double left = 0, right = 1, part, total;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int to = 1; to < size; to++) {
            MPI_Send(&left, 1, MPI_DOUBLE, to, LEFT, MPI_COMM_WORLD);
            MPI_Send(&right, 1, MPI_DOUBLE, to, RIGHT, MPI_COMM_WORLD);
            MPI_Send(&n, 1, MPI_INT, to, COUNT, MPI_COMM_WORLD);
        }
    } else {
        MPI_Recv(&left, 1, MPI_DOUBLE, 0, LEFT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&right, 1, MPI_DOUBLE, 0, RIGHT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&n, 1, MPI_INT, 0, COUNT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    part = integrate(left + rank * (right - left) / size, left + (rank + 1) * (right - left) / size, n / size);
    if (rank == 0) {
        total = part;
        for (int from = 0; from < size; from++) { /* not from 1 */
            MPI_Recv(&part, 1, MPI_DOUBLE, from, PART, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            total += part;
        }
        printf("%f\n", total);
    } else {
        MPI_Send(&part, 1, MPI_DOUBLE, 0, PART, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
