/* A token goes round; at each stop two neighbours compete, and only if the slower is always first does it get stuck. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, who, late = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Request request[2];
    MPI_Isend(&rank, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    late = who == right;
    MPI_Recv(&who, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&late, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (all >= size - 3 && rank == 0)
        MPI_Recv(&who, 1, MPI_INT, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* nobody sends it */
    MPI_Finalize();
    return 0;
}
