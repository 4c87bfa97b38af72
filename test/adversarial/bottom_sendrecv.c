/*
 * MPI_Sendrecv, MPI_Isendrecv and MPI_Isendrecv_replace of MPI_BOTTOM on both sides: two null pointers are not one buffer.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * mpi: mpich
 */
#include <mpi.h>
#include <stdlib.h>

static int out[3], in[3], rank;

static MPI_Datatype absolute(int *base)
{
    MPI_Aint at[2];
    MPI_Datatype type;
    MPI_Get_address(&base[0], &at[0]);
    MPI_Get_address(&base[2], &at[1]);
    MPI_Type_create_hindexed(2, (int[]){1, 1}, at, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

static void fill(void)
{
    for (int i = 0; i < 3; i++) {
        out[i] = 10 * rank + i;
        in[i] = -1;
    }
}

static void expect(const int *array)
{
    if (array[0] != 10 * (1 - rank) || array[2] != 10 * (1 - rank) + 2)
        abort();
}

int main(int argc, char **argv)
{
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other = 1 - rank;
    MPI_Datatype from = absolute(out), to = absolute(in);
    fill();
    MPI_Sendrecv(MPI_BOTTOM, 1, from, other, 0, MPI_BOTTOM, 1, to, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(in);
    fill();
    MPI_Isendrecv(MPI_BOTTOM, 1, from, other, 0, MPI_BOTTOM, 1, to, other, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(in);
    fill();
    MPI_Isendrecv_replace(MPI_BOTTOM, 1, from, other, 0, other, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(out);
    MPI_Type_free(&from);
    MPI_Type_free(&to);
    MPI_Finalize();
    return 0;
}
