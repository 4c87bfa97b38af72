/*
 * MPI_Pack and MPI_Unpack of the program's own, at addresses that the datatype tells from the start of a struct, and a
 * message of MPI_PACKED to a receive at MPI_BOTTOM.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, position = 0, a = 3, size;
    double d = 0.5;
    char packed[100];
    MPI_Aint at[2];
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_address(&a, &at[0]);
    MPI_Get_address(&d, &at[1]);
    MPI_Type_create_struct(2, (int[]){1, 1}, at, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &type);
    MPI_Type_commit(&type);
    MPI_Pack_size(1, type, MPI_COMM_WORLD, &size);
    if (rank == 0) {
        MPI_Pack(&a, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
        MPI_Pack(&d, 1, MPI_DOUBLE, packed, sizeof packed, &position, MPI_COMM_WORLD);
        if (position > size)
            abort();
        MPI_Send(packed, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
    } else {
        a = 0;
        d = 0;
        MPI_Recv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (a != 3 || d != 0.5)
            abort();
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
