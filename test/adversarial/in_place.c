/*
 * MPI_IN_PLACE wherever MPI allows it; each result is compared.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

static int v[4], rank;

static void fill(void)
{
    for (int i = 0; i < 4; i++)
        v[i] = 10 * rank + i;
}

static void expect(int first, int second)
{
    if (v[0] != first || v[1] != second)
        abort();
}

int main(int argc, char **argv)
{
    int one[2] = {1, 1}, at[2] = {0, 1}, at_bytes[2] = {0, sizeof(int)};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fill();
    if (rank == 0)
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(&v[1], 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    if (rank == 0)
        expect(0, 11);
    fill();
    if (rank == 1)
        MPI_Scatter(v, 1, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD);
    else
        MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, v, 1, MPI_INT, 1, MPI_COMM_WORLD);
    expect(10, rank == 1 ? 11 : 1);
    fill();
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v, 1, MPI_INT, MPI_COMM_WORLD);
    expect(0, 11);
    fill();
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v, one, at, MPI_INT, MPI_COMM_WORLD);
    expect(0, 11);
    fill();
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v, 1, MPI_INT, MPI_COMM_WORLD);
    expect(rank, 10 + rank);
    fill();
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, v, one, at, MPI_INT, MPI_COMM_WORLD);
    expect(rank, 10 + rank);
    fill();
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, v, one, at_bytes, types, MPI_COMM_WORLD);
    expect(rank, 10 + rank);
    fill();
    MPI_Allreduce(MPI_IN_PLACE, v, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(10, 12);
    fill();
    MPI_Reduce_scatter_block(MPI_IN_PLACE, v, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(10 + 2 * rank, 10 * rank + 1);
    fill();
    MPI_Scan(MPI_IN_PLACE, v, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(10 * rank, 10 * rank + 1);
    fill();
    MPI_Exscan(MPI_IN_PLACE, v, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(0, 10 * rank + 1);
    MPI_Finalize();
    return 0;
}
