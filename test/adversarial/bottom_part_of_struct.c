/*
 * A message that is shorter than the datatype at MPI_BOTTOM: it ends within a struct of absolute addresses, and what it
 * does not reach stays.  MPI_Get_elements tells where it ended.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, ints[4] = {1, 2, 3, 4}, more[4] = {5, 6, 7, 8}, n;
    MPI_Aint at[2];
    MPI_Datatype type;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_address(&ints[1], &at[0]);
    MPI_Get_address(&more[1], &at[1]);
    MPI_Type_create_hindexed(2, (int[]){2, 2}, at, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (rank == 0) {
        MPI_Send((int[]){10, 20, 30}, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_elements(&status, type, &n);
        if (n != 3 || ints[0] != 1 || ints[1] != 10 || ints[2] != 20 || ints[3] != 4)
            abort();
        if (more[0] != 5 || more[1] != 30 || more[2] != 7)
            abort();
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
