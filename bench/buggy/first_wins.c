/* Whoever comes first becomes the root, and one rank is never ready for that. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, root = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 1; i < size; i++) {
            int who;
            MPI_Recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (i == 1)
                root = who;
        }
        for (int r = 1; r < size; r++)
            MPI_Send(&root, 1, MPI_INT, r, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&root, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == root && root == size / 2)
        MPI_Recv(&root, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* nobody sends it */
    MPI_Finalize();
    return 0;
}
