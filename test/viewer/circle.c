/*
 * Sixteen ranks, of which four that are far apart wait for each other in a circle, each after another number of messages; the rest finish.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    static const int member[] = {0, 5, 10, 15};
    int rank, size, v = 0, at = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 4; i++)
        if (member[i] == rank)
            at = i;
    int other = rank ^ 1;
    for (int i = 0; i < 3 * (rank / 2); i++)
        if (rank < other) {
            MPI_Send(&v, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&v, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    if (at >= 0) {
        MPI_Recv(&v, 1, MPI_INT, member[(at + 1) % 4], 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* CIRCLE */
        MPI_Send(&v, 1, MPI_INT, member[(at + 3) % 4], 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
